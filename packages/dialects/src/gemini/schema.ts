import type { Json } from '../json.ts'

/**
 * This dialect's own schemas are a part of OpenAPI's: types in capitals, and what may be null says so beside its type.
 * https://ai.google.dev/api/caching#Schema
 */
export const toJsonSchema = (schema: Json): Json => {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const { type, nullable, properties, items, anyOf, propertyOrdering, example, ...rest } = schema
  const plain = typeof type === 'string' ? type.toLowerCase() : type
  return {
    ...(plain === undefined || plain === 'type_unspecified'
      ? {}
      : { type: nullable === true ? [plain, 'null'] : plain }),
    ...rest,
    ...numbersOf(rest),
    ...(properties ? { properties: mapped(properties) } : {}),
    ...(items ? { items: toJsonSchema(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(toJsonSchema) } : {}),
  }
}

const mapped = (properties: Json): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toJsonSchema(schema)]),
  )

/** 64-bit numbers are texts in this dialect. */
const counts = [
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
] as const

const numbersOf = (schema: Json): Json =>
  Object.fromEntries(
    counts.flatMap(key => (typeof schema[key] === 'string' ? [[key, Number(schema[key])]] : [])),
  )

/** Their inside is the caller's own: names in it are not fields of this dialect. */
const closed = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'partMetadata',
  'labels',
])

/** The fields of a request that may be spelled in two ways, or hold such. What is called otherwise keeps its name. */
const known = new Set([
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'],
  ...['safetySettings', 'cachedContent', 'serviceTier', 'generateContentRequest'],
])

export const camelizedRequest = (body: Json): Json =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const name = camelName(key)
      return known.has(name) ? [name, camelized(value)] : [key, value]
    }),
  )

const camelName = (key: string): string =>
  key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Upstreams of this dialect take every field in snake case as well. */
export const camelized = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(camelized)
  if (typeof value !== 'object' || value === null) return value
  const made: Json = {}
  for (const key of Object.keys(value)) {
    const name = camelName(key)
    made[name] = closed.has(name) ? value[key] : camelized(value[key])
  }
  return made
}
