const empty = Buffer.alloc(0)

/** Joins chunks of any size, and copies each byte a constant number of times. */
export class GrowableBuffer {
  size = 0
  private store = empty

  add(chunk: Buffer, start: number, end: number): void {
    const needed = this.size + end - start
    if (needed > this.store.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1_024, needed, this.store.length * 2))
      this.store.copy(larger, 0, 0, this.size)
      this.store = larger
    }
    chunk.copy(this.store, this.size, start, end)
    this.size = needed
  }

  take(): Buffer {
    const taken = Buffer.from(this.store.subarray(0, this.size))
    this.size = 0
    // Releases memory that one large frame needed.
    if (this.store.length > 65_536) this.store = empty
    return taken
  }

  /** Called after every chunk, usually while the buffer is empty. */
  peek(): Buffer {
    return this.size === 0 ? empty : this.store.subarray(0, this.size)
  }
}
