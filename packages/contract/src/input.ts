import { z } from 'zod'
import { Fault, type FaultCode } from './faults.ts'
import { innermost } from './innermost.ts'
import type { Endpoint } from './resource.ts'
import { refuseUnknownFields, refuseUnknownQuery, shapeOf } from './unknown-fields.ts'

type RequestParts = { params?: unknown; query?: unknown; body?: unknown }

/**
 * Parses the input of a call. Text in path and query becomes a number or boolean if the schema has one; the body keeps its
 * types. Throws `request.invalid`, also for a key that comes from two places, and `request.unknown_field` for a query
 * parameter or a body field that the endpoint does not have.
 */
export const readInput = <E extends Endpoint>(
  endpoint: E,
  parts: RequestParts,
): z.output<E['input']> => {
  const body = wrapListBody(endpoint, parts.body)
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    return parse(endpoint, body)
  const texts = { ...toRecord(parts.query), ...toRecord(parts.params) }
  const fields = toRecord(body)
  const duplicate = Object.keys(fields).find(key => key in texts)
  if (duplicate) throw new Fault('request.invalid', { hint: `\`${duplicate}\` is given twice.` })
  const shape = shapeOf(endpoint.input)
  refuseUnknownQuery(endpoint, shape, toRecord(parts.query))
  refuseUnknownFields(endpoint, fields)
  const values = Object.entries(texts).map(([key, text]) => [key, fromText(shape[key], text)])
  return parse(endpoint, { ...fields, ...Object.fromEntries(values) })
}

/** Some bodies of One Hub are a bare list. The `list` meta of the schema names the field for it. */
const wrapListBody = (endpoint: Endpoint, body: unknown): unknown => {
  const name = endpoint.input.meta()?.list
  return Array.isArray(body) && typeof name === 'string' ? { [name]: body } : body
}

const parse = <E extends Endpoint>(endpoint: E, value: unknown): z.output<E['input']> => {
  const path = findNul(value)
  if (path !== undefined)
    throw new Fault('request.invalid', {
      hint: `\`${path}\`: it contains the character U+0000, which cannot be stored; remove it.`,
    })
  const result = endpoint.input.safeParse(value)
  if (result.success) {
    refuseFarPage(endpoint, toRecord(result.data))
    return result.data as z.output<E['input']>
  }
  throw new Fault(faultOf(result.error), { hint: `${issuesOf(result.error)}.` })
}

/** Rows before a page are read and thrown away, so that a page far behind costs as much as all before it. */
const rowsBeforeMax = 100_000

const refuseFarPage = (
  { input }: Endpoint,
  { page, size, after }: Record<string, unknown>,
): void => {
  if (typeof page !== 'number' || typeof size !== 'number' || after !== undefined) return
  if ((page - 1) * size <= rowsBeforeMax) return
  const cursor = 'after' in shapeOf(input) ? ', or send the `next` of a page as `after`' : ''
  throw new Fault('request.invalid', {
    hint: `\`page\`: at most ${rowsBeforeMax} rows may lie before it. Narrow the filters${cursor}.`,
  })
}

/** A rule of a schema can name a more exact fault in its `params`. */
const faultOf = ({ issues }: z.ZodError): FaultCode => {
  const named = issues.flatMap(each => (each.code === 'custom' ? [each.params?.fault] : []))
  return (named.find(Boolean) as FaultCode | undefined) ?? 'request.invalid'
}

/** The path of the first text with a NUL character, which PostgreSQL can store in no text. */
export const findNul = (value: unknown, path = ''): string | undefined => {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, each] of Object.entries(value)) {
    if (key.includes('\0')) return path === '' ? 'the name of a field' : path
    const found = findNul(each, path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** One clause per field, such as `name: Too small; expires_at: Invalid input`. */
export const issuesOf = (error: z.ZodError): string =>
  error.issues
    .map(issue => `${issue.path.length ? `\`${issue.path.join('.')}\`: ` : ''}${issue.message}`)
    .join('; ')

const toRecord = (value: unknown): Record<string, unknown> =>
  value && typeof value === 'object' ? { ...(value as Record<string, unknown>) } : {}

const fromText = (schema: z.ZodType | undefined, text: unknown): unknown => {
  if (!schema || typeof text !== 'string') return text
  const kind = innermost(schema)
  if (kind instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (kind instanceof z.ZodBoolean) return booleans[text] ?? text
  return text
}

const booleans: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
