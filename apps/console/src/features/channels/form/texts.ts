import { namesOf } from '../../../ui/form/names.ts'

/** One Hub stores lists as comma text and maps as JSON text; the form edits names and rows. */

export const joinNames = (names: string[]): string => namesOf(names.join(',')).join(',')

export type Entry = { key: string; value: string }

/** The rows of a map; undefined where the text is no map of texts. */
export const readMap = (text: string): Entry[] | undefined => {
  if (text.trim() === '') return []
  const map = readObject(text)
  if (!map || !Object.values(map).every(value => typeof value === 'string')) return undefined
  return Object.entries(map).map(([key, value]) => ({ key, value: String(value) }))
}

/** Rows without a name are still being typed: they are left out. The last of two equal names wins. */
export const writeMap = (entries: Entry[]): string => {
  const named = entries.flatMap(({ key, value }) =>
    key.trim() ? [[key.trim(), value.trim()]] : [],
  )
  return named.length ? JSON.stringify(Object.fromEntries(named)) : ''
}

/** Names that stand in more than one row. */
export const doubledKeys = (entries: Entry[]): string[] => {
  const keys = entries.map(entry => entry.key.trim()).filter(Boolean)
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))]
}

/** Undefined where the text is no JSON object. */
export const readObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export const prettyJson = (text: string): string => {
  const value = readObject(text)
  return value ? JSON.stringify(value, null, 2) : text
}

/** Models that are mapped must be offered too, or nobody could ask for them. */
export const withMapped = (models: string, mapping: string): string => {
  const names = namesOf(models)
  const covered = (name: string) =>
    names.some(each => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1))))
  const missing = (readMap(mapping) ?? []).map(entry => entry.key).filter(key => !covered(key))
  return joinNames([...names, ...missing])
}
