/** JSON from somebody else: nothing is known of it. */
export type Loose = Record<string, unknown>

export const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
