import type { ForwardBuffer } from './forward-buffer.ts'

type Piece = { bytes: Buffer; start: number; end: number; isInChunk: boolean }

/** Holds a frame that may be the last one, with the bytes that belong to it, until the next frame arrives. */
export class HeldFrame {
  private pieces: Piece[] = []
  private readonly forward: ForwardBuffer

  constructor(forward: ForwardBuffer) {
    this.forward = forward
  }

  get isEmpty(): boolean {
    return this.pieces.length === 0
  }

  add(bytes: Buffer, start: number, end: number, isInChunk: boolean): void {
    this.pieces.push({ bytes, start, end, isInChunk })
  }

  /** Forwards the held bytes. */
  release(): void {
    if (this.isEmpty) return
    for (const { bytes, start, end, isInChunk } of this.pieces)
      this.forward.add(bytes, start, end, isInChunk)
    this.pieces = []
  }

  /** Copies what is in the current chunk, because the network reuses that buffer. */
  detach(): void {
    if (this.isEmpty) return
    this.pieces = this.pieces.map(each =>
      each.isInChunk
        ? { bytes: copyOf(each), start: 0, end: each.end - each.start, isInChunk: false }
        : each,
    )
  }

  take(): Buffer[] {
    return this.pieces.map(copyOf)
  }
}

const copyOf = ({ bytes, start, end }: Piece): Buffer => Buffer.from(bytes.subarray(start, end))
