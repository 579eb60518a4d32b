import type { Json } from '../json/json.ts'

/** Chooses what a vendor would refuse, because it is not its own. */
export type StateFilter = {
  /** Says so of an id, a signature or encrypted reasoning. '' where the field is missing. */
  isForeign(text: string): boolean
  /** Returns a foreign text as its own vendor knows it; absent where that is not known. */
  restore?(text: string): string
  /** Keeps the readable text of a thought as a plain text. */
  keepsTexts: boolean
  /** The model at the vendor. */
  model: string
}

/** Values of top-level fields of a request, and what was left out of them. */
export type FilteredState = { edits: Record<string, unknown>; dropped: ReadonlySet<string> }

export type FieldsFilter = (fields: Json, filter: StateFilter, dropped: Set<string>) => Json

export const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
