import type { ReadLog } from '../sources/checked-rows.ts'
import { isJsonObject, type JsonMap } from '../sources/json.ts'

/** StoredOptions by their key, as the database has them. */
export type StoredOptions = ReadonlyMap<string, string>

export type Ratios = {
  numbers: Map<string, number>
  /** Names whose value is no number. */
  unreadable: Set<string>
}

/** Reads an option that is a JSON object of numbers, and names in the log what is not one. Undefined: there is no row. */
export const readRatios = (
  options: StoredOptions,
  key: string,
  log: ReadLog,
): Ratios | undefined => {
  const value = readObject(options, key, log)
  return value && ratiosOf(value, key, log)
}

export const ratiosOf = (value: JsonMap, key: string, log: ReadLog): Ratios => {
  const ratios: Ratios = { numbers: new Map(), unreadable: new Set() }
  for (const [name, each] of Object.entries(value))
    if (typeof each === 'number' && Number.isFinite(each)) ratios.numbers.set(name, each)
    else {
      ratios.unreadable.add(name)
      const shown = String(JSON.stringify(each)).slice(0, 40)
      noteOption(log, key, `the value ${shown} of “${name}” is not a number, and is left out`)
    }
  return ratios
}

/** Reads an option that is a JSON object. An unreadable one is empty, and is named in the log. */
export const readObject = (
  options: StoredOptions,
  key: string,
  log: ReadLog,
): JsonMap | undefined => {
  const text = options.get(key)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text || '{}')
    if (isJsonObject(value)) return value
  } catch {
    // The log names it below.
  }
  noteOption(log, key, 'it is not a JSON object, and is left out')
  return {}
}

export const noteOption = (log: ReadLog, key: string, change: string): void => {
  log.changes.push({ table: 'options', id: key, name: key, change })
}
