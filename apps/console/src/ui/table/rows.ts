import { type Endpoint, type Page, readInput } from '@hub/contract'
import { z } from 'zod'
import type { ListState } from './list-url.ts'

const shapeOf = (endpoint: Endpoint): Record<string, z.ZodType> =>
  endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}

/** The fields an endpoint can be ordered by: its contract says so. */
export const orderFields = (endpoint: Endpoint): readonly string[] => {
  const fields = shapeOf(endpoint).order?.meta()?.fields
  return Array.isArray(fields) ? fields : []
}

/** The address is text; the contract says which of it are numbers, and what it does not know is left out. */
export const inputOf = (endpoint: Endpoint, state: ListState, fixed: object): object => {
  const shape = shapeOf(endpoint)
  const fields = orderFields(endpoint)
  const order = state.order.split(',').every(each => fields.includes(each.replace(/^-/, '')))
  const texts = {
    page: String(state.page),
    size: String(state.size),
    ...(order && state.order ? { order: state.order } : {}),
    ...state.filters,
  }
  const known = Object.entries(texts).filter(([key, value]) => key in shape && value !== '')
  const readable = known.filter(([key, value]) => isReadable(shape, key, value))
  const given = new Set(Object.keys(fixed))
  const read = readable.filter(([key]) => !given.has(key))
  return { ...coerced(shape, Object.fromEntries(read)), ...fixed }
}

const isReadable = (shape: Record<string, z.ZodType>, key: string, value: string) => {
  try {
    coerced(shape, { [key]: value })
    return true
  } catch {
    return false
  }
}

const coerced = (shape: Record<string, z.ZodType>, texts: Record<string, string>): object => {
  const input = z.object(
    Object.fromEntries(Object.keys(texts).map(key => [key, shape[key] ?? z.any()])),
  )
  return readInput({ input } as unknown as Endpoint, { query: texts }) as object
}

/** A list that comes whole is paged, searched and sorted here, so that every table behaves the same. */
export const pageOfAll = <T extends object>(all: readonly T[], state: ListState): Page<T> => {
  const found = all.filter(row => matches(row, state.filters))
  const sorted = state.order ? found.toSorted(comparing(state.order)) : found
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
  Object.entries(filters).every(([key, wanted]) => {
    if (key !== 'keyword') return String(Reflect.get(row, key)) === wanted
    const words = Object.values(row).filter(value => /string|number/.test(typeof value))
    return words.join(' ').toLowerCase().includes(wanted.toLowerCase())
  })

const comparing = (order: string) => {
  const key = order.replace(/^-/, '')
  const sign = order.startsWith('-') ? -1 : 1
  return (a: object, b: object) => {
    const [x, y] = [Reflect.get(a, key), Reflect.get(b, key)]
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return sign * String(x).localeCompare(String(y), undefined, { numeric: true })
  }
}
