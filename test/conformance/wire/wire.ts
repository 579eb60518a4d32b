import type { Frame } from './frames.ts'
import type { Rule } from './shape.ts'

/** What answers of a dialect look like on the wire, written after the vendor's documents: stricter than its client reads. */
export type Wire = {
  whole(body: unknown): string[]
  stream(frames: readonly Frame[]): string[]
  /** In place of an answer. */
  error: Rule
}
