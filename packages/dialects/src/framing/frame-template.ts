import { isPlain } from '../json/cursor.ts'
import type { FastPath } from './sse-splitter.ts'

/** A frame [start, end) and its one text, without quotes. */
type OnFrame = (
  bytes: Buffer,
  start: number,
  end: number,
  textStart: number,
  textEnd: number,
) => void

export type FrameTemplate = {
  /** Takes a frame as the pattern for those behind it. */
  learn: OnFrame
  /** Hands on the frames that begin at `at` and are the pattern; answers where another one begins. */
  pass: FastPath
}

const nothing = Buffer.alloc(0)
const lineFeed = 0x0a
/** Of a vendor whose frames differ in more than one text no more are learnt. */
const learntMax = 8

/**
 * Most frames of a stream say what the one before said, but for one text. Where the bytes before and behind the text are
 * the same and nothing in it could end it, its JSON is the same too and need not be walked.
 */
export const frameTemplate = (onFrame: OnFrame): FrameTemplate => {
  let head = nothing
  let tail = nothing
  let learnt = 0

  return {
    learn: (bytes, start, end, textStart, textEnd) => {
      // A return may be the first half of a line end.
      if (bytes[end - 1] !== lineFeed) return
      learnt += 1
      // Copied: the chunk that it came in belongs to others.
      head = learnt > learntMax ? nothing : Buffer.from(bytes.subarray(start, textStart))
      tail = learnt > learntMax ? nothing : Buffer.from(bytes.subarray(textEnd, end))
    },
    pass: (chunk, from) => {
      let at = from
      while (head.length > 0 && isAt(chunk, at, head)) {
        const textStart = at + head.length
        let textEnd = textStart
        while (textEnd < chunk.length && isPlain(chunk[textEnd]!)) textEnd += 1
        if (!isAt(chunk, textEnd, tail)) break
        const start = at
        at = textEnd + tail.length
        learnt = 0
        onFrame(chunk, start, at, textStart, textEnd)
      }
      return at
    },
  }
}

const isAt = (bytes: Buffer, at: number, wanted: Buffer): boolean => {
  const { length } = wanted
  if (at + length > bytes.length) return false
  for (let index = 0; index < length; index += 1)
    if (bytes[at + index] !== wanted[index]) return false
  return true
}
