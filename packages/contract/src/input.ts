import { z } from 'zod'
import { Fault } from './faults.ts'
import type { Endpoint } from './resource.ts'

type Parts = { params?: unknown; query?: unknown; body?: unknown }

/**
 * Reads a call's input: path and query are text and become numbers or booleans where the schema says so;
 * the body is taken as it is. A key that comes from two places is refused.
 */
export const readInput = <E extends Endpoint>(endpoint: E, parts: Parts): z.output<E['input']> => {
  const body = underItsName(endpoint, parts.body)
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    return parse(endpoint, body)
  const texts = { ...record(parts.query), ...record(parts.params) }
  const twice = Object.keys(record(body)).find(key => key in texts)
  if (twice) throw new Fault('request.invalid', { hint: `\`${twice}\` is given twice.` })
  const shape = shapeOf(endpoint.input)
  const read = Object.entries(texts).map(([key, text]) => [key, fromText(shape[key], text)])
  return parse(endpoint, { ...record(body), ...Object.fromEntries(read) })
}

/** One Hub sends some lists bare: the schema says which field such a body is. */
const underItsName = (endpoint: Endpoint, body: unknown): unknown => {
  const name = endpoint.input.meta()?.list
  return Array.isArray(body) && typeof name === 'string' ? { [name]: body } : body
}

const parse = <E extends Endpoint>(endpoint: E, value: unknown): z.output<E['input']> => {
  const result = endpoint.input.safeParse(value)
  if (result.success) return result.data as z.output<E['input']>
  throw new Fault('request.invalid', { hint: `${issuesOf(result.error)}.` })
}

/** `name: Too small; expires_at: Invalid input`: one clause per field, for people. */
export const issuesOf = (error: z.ZodError): string =>
  error.issues
    .map(issue => `${issue.path.length ? `\`${issue.path.join('.')}\`: ` : ''}${issue.message}`)
    .join('; ')

const record = (value: unknown): Record<string, unknown> =>
  value && typeof value === 'object' ? { ...(value as Record<string, unknown>) } : {}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}

const fromText = (schema: z.ZodType | undefined, text: unknown): unknown => {
  if (!schema || typeof text !== 'string') return text
  const kind = innermost(schema)
  if (kind instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (kind instanceof z.ZodBoolean) return bools[text] ?? text
  return text
}

const bools: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

const innermost = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodPipe) return innermost(schema.in as z.ZodType)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    return innermost(schema.unwrap() as z.ZodType)
  return schema
}
