import type { ImportDifference, Skipped, SourceId } from '../gateway-data.ts'
import type { SourceDatabase, SourceRow, Value } from './source-database.ts'
import { idOf, isDeleted, textOf } from './values.ts'

/** The content of one column that this gateway reads, and what happens to a value that is something else. */
export type ColumnRule = {
  kind: 'integer' | 'flag' | 'object' | 'list' | 'text'
  /** NULL and an empty text are unreadable, too. Otherwise they are usual and mean the default of the column. */
  isNeeded?: true
  min?: number
  max?: number
  /** Values with a meaning. */
  oneOf?: readonly (number | string)[]
  pattern?: RegExp
  /** Takes the place of an unreadable value. */
  instead?: Value
  /** The row is left out, or these columns of it change, too. */
  otherwise?: 'skip' | SourceRow
  /** The consequence, for the report. */
  effect?: string
}

export type TableRules = {
  table: string
  /** The table of this name holds the rows in the report, if it has another name there. */
  reportedAs?: string
  /** The columns of the id and of the name in the report. */
  id: string
  name?: string
  columns: Readonly<Record<string, ColumnRule>>
  /** Recognises a deletion that has no date. */
  isDeleted?: (row: SourceRow) => boolean
}

/** Collects what happens to rows while they are read. */
export type ReadLog = { skipped: Skipped[]; changes: ImportDifference[] }

/** Reads the rows of a table that are not deleted, with every value readable. A missing table has no rows. */
export const readRows = async (
  source: SourceDatabase,
  rules: TableRules,
  log: ReadLog,
): Promise<SourceRow[]> => {
  if (!(await source.tables()).has(rules.table)) return []
  const rows = await source.rows(rules.table, rules.id)
  return checkRows(rows, rules, log)
}

export const checkRows = (
  rows: readonly SourceRow[],
  rules: TableRules,
  log: ReadLog,
): SourceRow[] => rows.map(row => checkRow(row, rules, log)).filter(row => row !== undefined)

/** Returns the row with readable values, or undefined if it is left out. The log names each value that was replaced. */
const checkRow = (given: SourceRow, rules: TableRules, log: ReadLog): SourceRow | undefined => {
  const row = Object.fromEntries(
    Object.entries(given).map(([column, value]) => [column, withoutNul(value)]),
  )
  const subject = subjectOf(row, rules)
  const skip = (reason: string) => {
    log.skipped.push({ ...subject, reason })
    return undefined
  }
  if (isDeleted(row) || rules.isDeleted?.(row)) return skip('deleted')
  for (const [column, rule] of Object.entries(rules.columns)) {
    // Releases differ in their columns.
    if (given[column] === undefined) continue
    const problem = problemOf(given[column], textOf(row, column).trim(), rule)
    if (problem === undefined) continue
    if (rule.otherwise === 'skip') return skip(`\`${column}\` ${problem}`)
    const effect = problem === nulProblem ? 'it is replaced' : (rule.effect ?? insteadText(rule))
    log.changes.push({ ...subject, change: `\`${column}\` ${problem}: ${effect}` })
    if (problem !== nulProblem) Object.assign(row, { [column]: rule.instead ?? null })
    Object.assign(row, rule.otherwise)
  }
  return row
}

const subjectOf = (
  row: SourceRow,
  { table, reportedAs = table, id, name = id }: TableRules,
): { table: string; id: SourceId; name: string } => ({
  table: reportedAs,
  id: idOf(row, id),
  name: textOf(row, name),
})

const insteadText = ({ instead }: ColumnRule): string =>
  instead === undefined || instead === null || instead === ''
    ? 'it is left out'
    : `it is ${instead} here`

/** A text with this character equals no other afterwards, so that a name or key cannot become that of another row. */
const withoutNul = (value: Value): Value => {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
  return typeof text === 'string' ? text.replaceAll('\0', '\uFFFD') : text
}

const nulProblem = 'contains a NUL character'
const hasNul = (value: Value): boolean =>
  value instanceof Uint8Array
    ? value.includes(0)
    : typeof value === 'string' && value.includes('\0')

const problemOf = (given: Value, text: string, rule: ColumnRule): string | undefined => {
  if (text === '') return rule.isNeeded && 'is empty'
  if (rule.kind === 'text' && hasNul(given)) return nulProblem
  const { oneOf, pattern } = rule
  const isKnown = (value: number | string) => oneOf === undefined || oneOf.includes(value)
  switch (rule.kind) {
    case 'integer':
      return numberProblem(text, rule) ?? (isKnown(Number(text)) ? undefined : unknown(text))
    case 'flag':
      return /^(0|1|t|f|true|false)$/i.test(text) ? undefined : `is ${shown(text)}, not a flag`
    case 'text':
      if (!isKnown(text)) return unknown(text)
      return pattern && !pattern.test(text) ? 'has a form that is not known' : undefined
    default:
      return jsonProblem(text, rule.kind)
  }
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 40))
const unknown = (text: string): string => `is ${shown(text)}, which has no meaning here`

const numberProblem = (text: string, { min, max }: ColumnRule): string | undefined => {
  const number = Number(text)
  if (!Number.isFinite(number)) return `is ${shown(text)}, not a number`
  if (!Number.isSafeInteger(Math.trunc(number)))
    return `is ${shown(text)}, beyond the range of exact numbers`
  if (min !== undefined && number < min) return `is ${shown(text)}, less than ${min}`
  if (max !== undefined && number > max) return `is ${shown(text)}, more than ${max}`
  return undefined
}

const jsonProblem = (text: string, kind: 'object' | 'list'): string | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const isRight = kind === 'list' ? Array.isArray(value) : isObject(value)
    return value === null || isRight ? undefined : `is not a JSON ${kind}`
  } catch {
    return 'is not JSON'
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value)
