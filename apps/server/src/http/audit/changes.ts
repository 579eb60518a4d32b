import type { AuditChange } from '@hub/contract'
import type { AuditedRows } from '../../core/implement.ts'

const changesMax = 500
const textMax = 2000

export type Changes = { changes: AuditChange[]; omitted: number }

/** Compares the rows before and after a write. A new or a deleted row is one change, with all its fields. */
export const compareRows = (before: AuditedRows, after: AuditedRows): Changes => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const all = [...names].flatMap(name => compareRow(name, before[name], after[name]))
  return { changes: all.slice(0, changesMax), omitted: Math.max(0, all.length - changesMax) }
}

const compareRow = (row: string, before?: object, after?: object): AuditChange[] => {
  if (before && after) return compareFields(row, before, after)
  return [
    {
      row,
      field: '',
      ...(before && { before: truncateTexts(before) }),
      ...(after && { after: truncateTexts(after) }),
    },
  ]
}

const compareFields = (row: string, before: object, after: object): AuditChange[] => {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const fields = [...new Set([...old.keys(), ...now.keys()])]
  return fields
    .filter(field => JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map(field => ({
      row,
      field,
      before: truncateTexts(old.get(field)),
      after: truncateTexts(now.get(field)),
    }))
}

/** Cuts long texts, also those inside lists and objects. */
export const truncateTexts = (value: unknown): unknown => {
  if (typeof value === 'string' && value.length > textMax) return `${value.slice(0, textMax)}…`
  if (Array.isArray(value)) return value.map(truncateTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, truncateTexts(inner)]),
  )
}
