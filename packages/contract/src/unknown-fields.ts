import { z } from 'zod'
import { Fault } from './faults.ts'
import { innermost } from './innermost.ts'
import type { Endpoint } from './resource.ts'

type Shape = Record<string, z.ZodType>
type Fields = Record<string, unknown>
type UnknownField = { path: string; value: unknown; shape: Shape }

/** Accepted and ignored in every query: browsers' clients add it against caches. */
export const ignoredQuery = ['_']
/** Accepted and ignored in every body: forms of One Hub's console send whether they edit or create. */
export const ignoredFields = ['is_edit']

/** Refuses a query parameter that the schema does not have, and one that a write takes from its body. */
export const refuseUnknownQuery = (endpoint: Endpoint, shape: Shape, query: Fields) => {
  const { method, unsupported = [] } = endpoint
  const known = method === 'GET' ? Object.keys(shape) : (endpoint.query ?? [])
  const isAccepted = (name: string) =>
    known.includes(name) ||
    ignoredQuery.includes(name) ||
    (unsupported.includes(name) && isEmpty(query[name]))
  const name = Object.keys(query).find(name => !isAccepted(name))
  if (name === undefined) return
  if (Object.hasOwn(shape, name)) refuse(name, 'send it in the body, not in the query')
  refuse(name, namesOf(known))
}

/** Refuses a body field that the schema does not have, also inside objects and lists. */
export const refuseUnknownFields = (endpoint: Endpoint, fields: Fields) => {
  const { ignored = [], unsupported = [], repeated = {} } = endpoint
  const found = findUnknown(endpoint.input, fields, '', ({ path, value }) => {
    if (unsupported.includes(path)) return isEmpty(value)
    if (Object.hasOwn(repeated, path)) return isSameList(value, fields[repeated[path]!])
    return ignored.includes(path) || ignoredFields.includes(path)
  })
  if (!found) return
  if (Object.hasOwn(repeated, found.path))
    refuse(found.path, `send the same names, separated by commas, as \`${repeated[found.path]}\``)
  if (unsupported.includes(found.path)) refuse(found.path, 'not supported')
  refuse(found.path, namesOf(Object.keys(found.shape)))
}

const refuse = (name: string, reason: string): never => {
  throw new Fault('request.unknown_field', { hint: `\`${name.slice(0, 100)}\`: ${reason}.` })
}

const namesOf = (known: readonly string[]) => `the known ones are: ${known.join(', ') || 'none'}`

const findUnknown = (
  schema: z.ZodType,
  value: unknown,
  path: string,
  isAccepted: (field: UnknownField) => boolean,
): UnknownField | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const inner = innermost(schema)
  // The schema itself refuses a list in place of an object.
  if (Array.isArray(value) !== inner instanceof z.ZodArray) return undefined
  const below = (key: string) => (path === '' ? key : `${path}.${key}`)
  for (const [key, each] of Object.entries(value)) {
    const next = schemaAt(inner, key)
    if (next === undefined) return undefined
    if (next === null) {
      const field = { path: below(key), value: each, shape: shapeOf(inner) }
      if (!isAccepted(field)) return field
      continue
    }
    const found = findUnknown(next, each, below(key), isAccepted)
    if (found) return found
  }
  return undefined
}

/** The schema of a key. Null: the object has no such key. Undefined: the schema is none of objects, lists or maps. */
const schemaAt = (schema: z.ZodType, key: string): z.ZodType | null | undefined => {
  if (schema instanceof z.ZodObject) {
    const shape = shapeOf(schema)
    return Object.hasOwn(shape, key) ? shape[key]! : null
  }
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType
  return undefined
}

const isSameList = (list: unknown, text: unknown): boolean =>
  Array.isArray(list) && list.join(',') === text

/** One Hub writes a feature that is off as an object with `enabled: false`. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'enabled' in value ? !value.enabled : !value

export const shapeOf = (schema: z.ZodType): Shape =>
  schema instanceof z.ZodObject ? (schema.shape as Shape) : {}
