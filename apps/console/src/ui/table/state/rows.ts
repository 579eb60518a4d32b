import type { Page } from '@hub/contract'
import { type QueryField, queryFields } from '../../../api/query-fields.ts'
import type { ListState } from './list-url.ts'

type ListCall = { resource: string; action: string }

const fieldsOf = ({ resource, action }: ListCall): Record<string, QueryField> =>
  queryFields[`${resource}.${action}`] ?? {}

/** The fields that the contract allows a list to be ordered by. */
export const orderFields = (call: ListCall): readonly string[] => fieldsOf(call).order?.fields ?? []

/** Converts list state from the URL into input of a call. Unknown and unreadable parameters are left out. */
export const listInput = (call: ListCall, state: ListState, fixedInput: object): object => {
  const fields = fieldsOf(call)
  const columns = orderFields(call)
  const order = state.order.split(',').every(each => columns.includes(each.replace(/^-/, '')))
  const texts: Record<string, string> = {
    page: String(state.page),
    size: String(state.size),
    after: state.after,
    ...(order && state.order ? { order: state.order } : {}),
    ...state.filters,
  }
  const values = Object.entries(texts).flatMap(([key, text]) => {
    const field = text === '' ? undefined : fields[key]
    const value = field && readText(field, text)
    return value === undefined ? [] : [[key, value]]
  })
  return { ...Object.fromEntries(values), ...fixedInput }
}

const booleans: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

/** The value that a text means for a parameter; undefined if the contract refuses it. */
const readText = (field: QueryField, text: string): string | number | boolean | undefined => {
  if (field.anyOf)
    return field.anyOf.map(each => readText(each, text)).find(each => each !== undefined)
  if (field.const !== undefined) return String(field.const) === text ? field.const : undefined
  if (field.enum) return field.enum.find(each => String(each) === text)
  if (field.type === 'boolean') return booleans[text]
  if (field.type === 'string') return isTextOf(field, text) ? text : undefined
  const number = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return isNumberOf(field, number) ? number : undefined
}

const isTextOf = (
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: QueryField,
  text: string,
): boolean =>
  text.length >= minLength &&
  text.length <= maxLength &&
  (pattern === undefined || new RegExp(pattern, 'u').test(text))

const isNumberOf = (
  { type, minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE }: QueryField,
  number: number,
): boolean =>
  number >= minimum && number <= maximum && (type === 'number' || Number.isInteger(number))

/** Filters, sorts and pages a list that the server returns whole. `isFirst` tells rows that stand above the others. */
export const paginate = <T extends object>(
  all: readonly T[],
  state: ListState,
  isFirst: (row: T) => boolean = () => false,
  searchText: (row: T) => string = allValues,
): Page<T> => {
  const found = all.filter(row => matches(row, state.filters, searchText))
  const ordered = state.order ? found.toSorted(compareBy(state.order)) : found
  const sorted = ordered.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
  const from = (state.page - 1) * state.size
  return {
    data: sorted.slice(from, from + state.size),
    page: state.page,
    size: state.size,
    total_count: found.length,
    total_exact: true,
  }
}

const allValues = (row: object): string =>
  Object.values(row)
    .filter(value => /string|number/.test(typeof value))
    .join(' ')

const matches = <T extends object>(
  row: T,
  filters: Record<string, string>,
  searchText: (row: T) => string,
) =>
  Object.entries(filters).every(([key, expected]) =>
    key === 'keyword'
      ? searchText(row).toLowerCase().includes(expected.toLowerCase())
      : String(Reflect.get(row, key)) === expected,
  )

const compareBy = (order: string) => {
  const key = order.replace(/^-/, '')
  const sign = order.startsWith('-') ? -1 : 1
  return (a: object, b: object) => {
    const [x, y] = [Reflect.get(a, key), Reflect.get(b, key)]
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return sign * String(x).localeCompare(String(y), undefined, { numeric: true })
  }
}
