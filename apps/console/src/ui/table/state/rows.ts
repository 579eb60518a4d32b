import { type Endpoint, type Page, readInput } from '@hub/contract'
import { z } from 'zod'
import type { ListState } from './list-url.ts'

const shapeOf = (endpoint: Endpoint): Record<string, z.ZodType> =>
  endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}

/** The fields that the contract allows an endpoint to be ordered by. */
export const orderFields = (endpoint: Endpoint): readonly string[] => {
  const fields = shapeOf(endpoint).order?.meta()?.fields
  return Array.isArray(fields) ? fields : []
}

/** Converts list state from the URL into endpoint input. Unknown and unreadable parameters are left out. */
export const listInput = (endpoint: Endpoint, state: ListState, fixedInput: object): object => {
  const shape = shapeOf(endpoint)
  const fields = orderFields(endpoint)
  const order = state.order.split(',').every(each => fields.includes(each.replace(/^-/, '')))
  const texts = {
    page: String(state.page),
    size: String(state.size),
    after: state.after,
    ...(order && state.order ? { order: state.order } : {}),
    ...state.filters,
  }
  const known = Object.entries(texts).filter(([key, value]) => key in shape && value !== '')
  const readable = known.filter(([key, value]) => isReadable(shape, key, value))
  const fixedKeys = new Set(Object.keys(fixedInput))
  const read = readable.filter(([key]) => !fixedKeys.has(key))
  return { ...coerceTexts(shape, Object.fromEntries(read)), ...fixedInput }
}

const isReadable = (shape: Record<string, z.ZodType>, key: string, value: string) => {
  try {
    coerceTexts(shape, { [key]: value })
    return true
  } catch {
    return false
  }
}

const coerceTexts = (shape: Record<string, z.ZodType>, texts: Record<string, string>): object => {
  const input = z.object(
    Object.fromEntries(Object.keys(texts).map(key => [key, shape[key] ?? z.any()])),
  )
  return readInput({ method: 'GET', input } as unknown as Endpoint, { query: texts }) as object
}

/** Filters, sorts and pages a list that the server returns whole. */
export const paginate = <T extends object>(all: readonly T[], state: ListState): Page<T> => {
  const found = all.filter(row => matches(row, state.filters))
  const sorted = state.order ? found.toSorted(compareBy(state.order)) : found
  const from = (state.page - 1) * state.size
  return {
    data: sorted.slice(from, from + state.size),
    page: state.page,
    size: state.size,
    total_count: found.length,
    total_exact: true,
  }
}

const matches = (row: object, filters: Record<string, string>) =>
  Object.entries(filters).every(([key, expected]) => {
    if (key !== 'keyword') return String(Reflect.get(row, key)) === expected
    const texts = Object.values(row).filter(value => /string|number/.test(typeof value))
    return texts.join(' ').toLowerCase().includes(expected.toLowerCase())
  })

const compareBy = (order: string) => {
  const key = order.replace(/^-/, '')
  const sign = order.startsWith('-') ? -1 : 1
  return (a: object, b: object) => {
    const [x, y] = [Reflect.get(a, key), Reflect.get(b, key)]
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return sign * String(x).localeCompare(String(y), undefined, { numeric: true })
  }
}
