import type { Frame } from './frames.ts'
import type { Rule } from './shape.ts'

/** Checks responses of a dialect on the wire against the vendor's documents: stricter than its client. */
export type Wire = {
  whole(body: unknown): string[]
  stream(frames: readonly Frame[]): string[]
  /** In place of an answer. */
  error: Rule
}
