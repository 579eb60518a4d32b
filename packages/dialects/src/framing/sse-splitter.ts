import { GrowableBuffer } from './growable-buffer.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
const none = -1

/** Receives a frame up to its blank line, or a comment on its own. `fields` counts its lines that are no comments. */
export type OnLineGroup = (
  bytes: Buffer,
  start: number,
  end: number,
  fields: number,
  isInChunk: boolean,
) => void

export type SseSplitter = {
  /** Emits the line groups that this chunk completes. Returns false if an incomplete one exceeds the limit. */
  push(chunk: Buffer): boolean
  /** The incomplete line group. */
  rest(): Buffer
}

/** Handles line groups from `at` without splitting. Returns the start of the next one. */
export type FastPath = (chunk: Buffer, at: number) => number
const noFastPath: FastPath = (_chunk, at) => at

/** Splits a stream into line groups without decoding it, for any chunk boundaries and line ends. */
export const sseSplitter = (
  onLineGroup: OnLineGroup,
  groupBytesMax: number,
  fastPath: FastPath = noFastPath,
): SseSplitter => {
  const open = new GrowableBuffer()
  let firstByte = none
  let fields = 0
  let isAfterReturn = false

  const emit = (bytes: Buffer, start: number, end: number, isInChunk: boolean): void => {
    const count = fields
    fields = 0
    onLineGroup(bytes, start, end, count, isInChunk)
  }

  return {
    push: chunk => {
      const { length } = chunk
      let group = open.size === 0 && !isAfterReturn ? fastPath(chunk, 0) : 0
      let at = group
      if (isAfterReturn && length > 0) {
        // The line feed of a line end whose carriage return ended the previous chunk.
        isAfterReturn = false
        if (chunk[0] === lineFeed) at = 1
        if (at === 1 && open.size === 0) {
          emit(chunk, 0, 1, true)
          group = 1
        }
      }
      let nextReturn = chunk.indexOf(carriageReturn, at)
      while (at < length) {
        let end = chunk[at] === lineFeed ? at : chunk.indexOf(lineFeed, at)
        if (nextReturn >= 0 && (end < 0 || nextReturn < end)) end = nextReturn
        if (end < 0) {
          if (firstByte === none) firstByte = chunk[at]!
          break
        }
        const isBlank = end === at && firstByte === none
        if (firstByte === none && !isBlank) firstByte = chunk[at]!
        at = end + 1
        if (end === nextReturn) {
          if (chunk[at] === lineFeed) at += 1
          else isAfterReturn = at === length
          nextReturn = chunk.indexOf(carriageReturn, at)
        }
        const isComment = firstByte === colon && fields === 0
        firstByte = none
        if (!isBlank && !isComment) {
          fields += 1
          continue
        }
        if (open.size > 0) {
          open.add(chunk, group, at)
          const whole = open.take()
          emit(whole, 0, whole.length, false)
        } else emit(chunk, group, at, true)
        group = fastPath(chunk, at)
        if (group === at) continue
        at = group
        if (nextReturn >= 0 && nextReturn < at) nextReturn = chunk.indexOf(carriageReturn, at)
      }
      if (group < length) open.add(chunk, group, length)
      return open.size <= groupBytesMax
    },
    rest: () => open.peek(),
  }
}
