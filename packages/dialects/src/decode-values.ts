import type { Json, JsonObject } from './json/json.ts'

/** Returns an empty list for a value that is no list. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [])

/** Returns '' for a value that is no string. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Some vendors send another JSON value in place of a string. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return isEmpty(value) ? '' : JSON.stringify(value)
}

/**
 * Relays written in Go send every field that they know: '', null, 0, [] or an object of such fields in place of an absent
 * one.
 */
export const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '' || value === 0) return true
  if (typeof value !== 'object') return false
  for (const key in value) if (!isEmpty((value as JsonObject)[key])) return false
  return true
}

/** The value is an object with at least one field, be it an empty one. */
export const hasFields = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** The members of a list that have content. */
export const filledIn = (value: unknown): Json[] => listOf(value).filter(each => !isEmpty(each))

/** No vendor returns more choices for one request. */
const choicesMax = 128

/**
 * The index of a choice, or `fallback` if it is no small whole number. Without a bound, an upstream's index of a
 * billion would allocate a list of that length.
 */
export const choiceIndex = (index: unknown, fallback: number): number =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < choicesMax
    ? (index as number)
    : fallback

/** No call uses more tokens. A larger count is an error and not a bill. */
const tokensMax = 100_000_000

/** Returns undefined for an absent count, and NaN for a value that is no count. */
export const tokenCountOf = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  const isCount =
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= tokensMax
  return isCount ? value : Number.NaN
}

/**
 * Splits a total into parts. Details may overlap (a cached image is both cached and an image), so each part takes at
 * most what the earlier parts left.
 */
export const splitCount = (
  total: number,
  counts: readonly number[],
): { parts: number[]; remainder: number } => {
  let remainder = total
  const parts = counts.map(count => {
    const part = Math.min(count, remainder)
    remainder -= part
    return part
  })
  return { parts, remainder }
}
