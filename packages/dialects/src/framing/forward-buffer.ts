/** Gathers what of a chunk goes on, as few buffers as can be: the chunk itself where all of it does. */
type ForwardBuffer = {
  add(bytes: Buffer, start: number, end: number, isInChunk: boolean): void
  take(chunk: Buffer): readonly Buffer[]
}

const nothing: readonly Buffer[] = []

export const forwardBuffer = (): ForwardBuffer => {
  /** Pieces of a frame whose beginning came with earlier chunks: they stand before anything of this one. */
  let before: Buffer[] = []
  /** Starts and ends in this chunk, in turn, as many as `filled` says: one list for all chunks of a stream. */
  const ranges: number[] = []
  let filled = 0

  return {
    add: (bytes, start, end, isInChunk) => {
      if (start >= end) return
      if (!isInChunk) before.push(bytes.subarray(start, end))
      else if (filled > 0 && ranges[filled - 1] === start) ranges[filled - 1] = end
      else {
        ranges[filled] = start
        ranges[filled + 1] = end
        filled += 2
      }
    },
    take: chunk => {
      const count = filled
      filled = 0
      if (before.length === 0 && count === 0) return nothing
      if (before.length === 0 && count === 2) {
        const [start, end] = ranges as [number, number]
        return [start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)]
      }
      const joined = join(before, chunk, ranges.slice(0, count))
      before = []
      return [joined]
    },
  }
}

const join = (before: readonly Buffer[], chunk: Buffer, ranges: readonly number[]): Buffer => {
  let size = 0
  for (const piece of before) size += piece.length
  for (let index = 0; index < ranges.length; index += 2) size += ranges[index + 1]! - ranges[index]!
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of before) at += piece.copy(joined, at)
  for (let index = 0; index < ranges.length; index += 2)
    at += chunk.copy(joined, at, ranges[index], ranges[index + 1])
  return joined
}
