import type { SourceId } from '../gateway-data.ts'
import type { SourceRow } from './source-database.ts'

/** Text of a column; null and a missing column are empty. JSON columns of SQLite may be blobs. */
export const textOf = (row: SourceRow, column: string): string => {
  const value = row[column]
  if (value === null || value === undefined) return ''
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)
}

/** A whole number; null, a missing column and text that is no number are 0. Beyond the exact numbers: the last of them. */
export const integerOf = (row: SourceRow, column: string): number => {
  const number = Math.trunc(Number(textOf(row, column) || 0))
  if (Number.isNaN(number)) return 0
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number))
}

/** The id in a column: a number, or its text where it is beyond the exact numbers or no number. 0: none. */
export const idOf = (row: SourceRow, column: string): SourceId => {
  const text = textOf(row, column).trim()
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

/** A decimal as JSON numbers are; 0 where there is none. */
export const decimalOf = (row: SourceRow, column: string): number => {
  const number = Number(textOf(row, column) || 0)
  return Number.isFinite(number) ? number : 0
}

/** A price. NaN where the column has none or something else than a number, so that nothing becomes free by an import. */
export const amountOf = (row: SourceRow, column: string): number => {
  const text = textOf(row, column).trim()
  return text === '' ? Number.NaN : Number(text)
}

export const flagOf = (row: SourceRow, column: string): boolean =>
  ['1', 'true', 't'].includes(textOf(row, column).toLowerCase())

/** Parsed JSON, or undefined where the column is empty or no JSON. */
export const jsonOf = (row: SourceRow, column: string): unknown => {
  try {
    return JSON.parse(textOf(row, column) || 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Any date is a deletion, an empty text as well. */
export const isDeleted = ({ deleted_at }: SourceRow): boolean =>
  deleted_at !== null && deleted_at !== undefined

/** The texts of an array column of PostgreSQL, which arrives as `{a,"b c"}`. */
export const textsOf = (row: SourceRow, column: string): string[] =>
  [...textOf(row, column).matchAll(/"((?:[^"\\]|\\.)*)"|([^,{}"]+)/g)]
    .filter(([, , bare]) => bare !== 'NULL')
    .map(([, quoted, bare]) => bare ?? quoted!.replace(/\\(.)/g, '$1'))

/** Unix seconds of a time of PostgreSQL without time zone, which is in UTC; 0 where there is none. */
export const secondsOf = (row: SourceRow, column: string): number => {
  const time = Date.parse(`${textOf(row, column).replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? 0 : Math.floor(time / 1_000)
}
