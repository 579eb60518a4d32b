const nothing: readonly Buffer[] = []

/** Collects the parts of a chunk to forward, as few buffers as possible: the chunk itself if all of it is forwarded. */
export class ForwardBuffer {
  /** Parts of a frame that began in earlier chunks. They precede all ranges of this chunk. */
  private earlier: Buffer[] = []
  /** Starts and ends in this chunk, in turn; `length` of them are valid. One list serves all chunks of a stream. */
  private readonly ranges: number[] = []
  private length = 0

  add(bytes: Buffer, start: number, end: number, isInChunk: boolean): void {
    if (start >= end) return
    const { ranges, length } = this
    if (!isInChunk) this.earlier.push(bytes.subarray(start, end))
    else if (length > 0 && ranges[length - 1] === start) ranges[length - 1] = end
    else {
      ranges[length] = start
      ranges[length + 1] = end
      this.length = length + 2
    }
  }

  take(chunk: Buffer): readonly Buffer[] {
    const { earlier, ranges, length } = this
    this.length = 0
    if (earlier.length === 0 && length === 0) return nothing
    if (earlier.length === 0 && length === 2) {
      const start = ranges[0]!
      const end = ranges[1]!
      return [start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)]
    }
    this.earlier = []
    return [join(earlier, chunk, ranges.slice(0, length))]
  }
}

const join = (earlier: readonly Buffer[], chunk: Buffer, ranges: readonly number[]): Buffer => {
  let size = 0
  for (const piece of earlier) size += piece.length
  for (let index = 0; index < ranges.length; index += 2) size += ranges[index + 1]! - ranges[index]!
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of earlier) at += piece.copy(joined, at)
  for (let index = 0; index < ranges.length; index += 2)
    at += chunk.copy(joined, at, ranges[index], ranges[index + 1])
  return joined
}
