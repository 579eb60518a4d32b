/** Gathers what of a chunk goes on, as few buffers as can be: the chunk itself where all of it does. */
type Outflow = {
  add(bytes: Buffer, start: number, end: number, isInChunk: boolean): void
  take(chunk: Buffer): readonly Buffer[]
}

const nothing: readonly Buffer[] = []

export const outflow = (): Outflow => {
  /** Pieces of a frame whose beginning came with earlier chunks: they stand before anything of this one. */
  let before: Buffer[] = []
  /** Starts and ends in this chunk, in turn. */
  let ranges: number[] = []

  return {
    add: (bytes, start, end, isInChunk) => {
      if (start >= end) return
      if (!isInChunk) before.push(bytes.subarray(start, end))
      else if (ranges.at(-1) === start) ranges[ranges.length - 1] = end
      else ranges.push(start, end)
    },
    take: chunk => {
      if (before.length === 0 && ranges.length === 0) return nothing
      if (before.length === 0 && ranges.length === 2) {
        const [start, end] = ranges as [number, number]
        ranges = []
        return [start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)]
      }
      const joined = join(before, chunk, ranges)
      before = []
      ranges = []
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
