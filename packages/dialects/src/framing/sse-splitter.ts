const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
const nothing = -1
const empty = Buffer.alloc(0)

/** A unit of a stream: a frame up to its blank line, or a comment that stands alone. `fields`: its lines with fields. */
export type OnLineGroup = (
  bytes: Buffer,
  start: number,
  end: number,
  fields: number,
  isInChunk: boolean,
) => void

type SseSplitter = {
  /** Hands on the units that this chunk completes; false once an open one is larger than allowed. */
  push(chunk: Buffer): boolean
  /** What was begun and not ended. */
  rest(): Buffer
}

/** Takes the units that begin at `at` and need no cutting; answers where the next one begins. */
export type FastPath = (chunk: Buffer, at: number) => number
const skipNone: FastPath = (_chunk, at) => at

/** Cuts a stream into units without decoding it, whatever its chunks, its line ends and its comments. */
export const sseSplitter = (
  onUnit: OnLineGroup,
  unitBytesMax: number,
  skip: FastPath = skipNone,
): SseSplitter => {
  const open = growableBuffer()
  let firstByte = nothing
  let fields = 0
  let isAfterReturn = false

  const hand = (bytes: Buffer, start: number, end: number, isInChunk: boolean): void => {
    const count = fields
    fields = 0
    onUnit(bytes, start, end, count, isInChunk)
  }

  return {
    push: chunk => {
      const { length } = chunk
      let unit = open.size() === 0 && !isAfterReturn ? skip(chunk, 0) : 0
      let at = unit
      if (isAfterReturn && length > 0) {
        // The second half of a line end whose first half was the last byte before.
        isAfterReturn = false
        if (chunk[0] === lineFeed) at = 1
        if (at === 1 && open.size() === 0) {
          hand(chunk, 0, 1, true)
          unit = 1
        }
      }
      let nextReturn = chunk.indexOf(carriageReturn, at)
      while (at < length) {
        let end = chunk[at] === lineFeed ? at : chunk.indexOf(lineFeed, at)
        if (nextReturn >= 0 && (end < 0 || nextReturn < end)) end = nextReturn
        if (end < 0) {
          if (firstByte === nothing) firstByte = chunk[at]!
          break
        }
        const isBlank = end === at && firstByte === nothing
        if (firstByte === nothing && !isBlank) firstByte = chunk[at]!
        at = end + 1
        if (end === nextReturn) {
          if (chunk[at] === lineFeed) at += 1
          else isAfterReturn = at === length
          nextReturn = chunk.indexOf(carriageReturn, at)
        }
        const isComment = firstByte === colon && fields === 0
        firstByte = nothing
        if (!isBlank && !isComment) {
          fields += 1
          continue
        }
        if (open.size() > 0) {
          open.add(chunk, unit, at)
          const whole = open.take()
          hand(whole, 0, whole.length, false)
        } else hand(chunk, unit, at, true)
        unit = skip(chunk, at)
        if (unit === at) continue
        at = unit
        if (nextReturn >= 0 && nextReturn < at) nextReturn = chunk.indexOf(carriageReturn, at)
      }
      if (unit < length) open.add(chunk, unit, length)
      return open.size() <= unitBytesMax
    },
    rest: () => open.peek(),
  }
}

/** Bytes that come one by one or by thousands: copied a constant number of times each. */
export const growableBuffer = () => {
  let store = Buffer.alloc(0)
  let size = 0
  return {
    size: () => size,
    add: (chunk: Buffer, start: number, end: number): void => {
      const needed = size + end - start
      if (needed > store.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(1_024, needed, store.length * 2))
        store.copy(larger, 0, 0, size)
        store = larger
      }
      chunk.copy(store, size, start, end)
      size = needed
    },
    take: (): Buffer => {
      const taken = Buffer.from(store.subarray(0, size))
      size = 0
      // A store that one large unit needed is not kept for the rest of the stream.
      if (store.length > 65_536) store = Buffer.alloc(0)
      return taken
    },
    // Asked for behind every chunk, when mostly nothing is there.
    peek: (): Buffer => (size === 0 ? empty : store.subarray(0, size)),
  }
}
