import type { Note } from '@hub/dialects'

/** As the log row shows them. */
export const wordsOf = (notes: readonly Note[]): string[] =>
  notes.map(({ dropped, by }) => `${by}: ${dropped}`)
