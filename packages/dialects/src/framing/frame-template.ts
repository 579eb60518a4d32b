import { isPlain } from '../json/cursor.ts'
import type { FastPath } from './sse-splitter.ts'

/** A frame [start, end) and the range of its one text, without quotes. */
type OnMatch = (
  bytes: Buffer,
  start: number,
  end: number,
  textStart: number,
  textEnd: number,
) => void

export type FrameTemplate = {
  /** Makes a frame the template for the frames after it. */
  remember: OnMatch
  /** Passes on the frames from `at` that equal the template except for the text. Returns the start of the next frame. */
  match: FastPath
}

const nothing = Buffer.alloc(0)
const lineFeed = 0x0a
/** After this many templates without a match it stops: the vendor's frames differ in more than one text. */
const missesMax = 8

/**
 * Recognises frames that differ from an earlier frame in one text only, as most frames of a stream do. If the bytes
 * around the text are equal and the text contains no special byte, the JSON is equal too and needs no walk.
 */
export const frameTemplate = (onMatch: OnMatch): FrameTemplate => {
  let head = nothing
  let tail = nothing
  let misses = 0

  return {
    remember: (bytes, start, end, textStart, textEnd) => {
      // A carriage return may be the first half of a line end.
      if (bytes[end - 1] !== lineFeed) return
      misses += 1
      // Copies, because the network reuses the chunk.
      head = misses > missesMax ? nothing : Buffer.from(bytes.subarray(start, textStart))
      tail = misses > missesMax ? nothing : Buffer.from(bytes.subarray(textEnd, end))
    },
    match: (chunk, from) => {
      let at = from
      while (head.length > 0 && isAt(chunk, at, head)) {
        const textStart = at + head.length
        let textEnd = textStart
        while (textEnd < chunk.length && isPlain(chunk[textEnd]!)) textEnd += 1
        if (!isAt(chunk, textEnd, tail)) break
        const start = at
        at = textEnd + tail.length
        misses = 0
        onMatch(chunk, start, at, textStart, textEnd)
      }
      return at
    },
  }
}

const isAt = (bytes: Buffer, at: number, expected: Buffer): boolean => {
  const { length } = expected
  if (at + length > bytes.length) return false
  for (let index = 0; index < length; index += 1)
    if (bytes[at + index] !== expected[index]) return false
  return true
}
