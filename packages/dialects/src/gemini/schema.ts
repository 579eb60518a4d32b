import type { Json } from '../json/json.ts'

/**
 * Converts this dialect's subset of OpenAPI schemas: types are upper case, and `nullable` stands next to the type.
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

/** These keywords are 64-bit numbers, which this dialect writes as strings. */
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

/** Values of these fields are the caller's own data, so their keys keep their spelling. */
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

/** Top-level fields that accept snake case or contain such fields; other keys keep their spelling. */
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
  key.replaceAll(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase())

/** Converts keys to camel case, because upstreams of this dialect accept snake case too. */
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
