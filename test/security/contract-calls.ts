import { contract, type Endpoint } from '@hub/contract'
import { z } from 'zod'

export type ContractCall = { name: string; method: Endpoint['method']; path: string; body?: object }
type Known = Readonly<Record<string, unknown>>
type Input = Record<string, unknown>

export type NamedEndpoint = { name: string; base: string; endpoint: Endpoint }

export const allEndpoints: NamedEndpoint[] = Object.entries(contract).flatMap(
  ([resource, { base, endpoints }]) =>
    Object.entries(endpoints as Record<string, Endpoint>).map(([verb, endpoint]) => ({
      name: `${resource}.${verb}`,
      base,
      endpoint,
    })),
)

export const fieldsOf = ({ input }: Endpoint): [name: string, schema: z.ZodType][] =>
  input instanceof z.ZodObject ? Object.entries(input.shape as Record<string, z.ZodType>) : []

/** True when the contract marks the field as a secret, also below `optional`, `default` or `nullable`. */
export const isSecretField = (schema: z.ZodType): boolean => {
  if (schema.meta()?.secret === true) return true
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).some(isSecretField)
  const inner = wrapped(schema)
  return inner !== undefined && isSecretField(inner)
}

/**
 * Every call that sets one field of the endpoint to one of the values, next to the required fields, and one call with
 * the required fields alone. `known` has the values of required fields, by name; others are made from the schema.
 */
export const callsOf = (
  each: NamedEndpoint,
  known: Known,
  values: readonly string[],
): ContractCall[] => {
  const fields = fieldsOf(each.endpoint)
  const required = fields.filter(([name, schema]) => name in known || !schema.isOptional())
  const base = Object.fromEntries(
    required.map(([name, schema]) => [name, known[name] ?? sample(schema, values[0] ?? '')]),
  )
  const inputs = fields.flatMap(([name, schema]) =>
    values.map(value => ({ ...base, [name]: sample(schema, value) })),
  )
  const calls = [base, ...inputs].map(input => makeCall(each, known, input))
  // A field that takes no text has one value.
  return [...new Map(calls.map(call => [JSON.stringify(call), call])).values()]
}

const makeCall = ({ name, base, endpoint }: NamedEndpoint, known: Known, input: Input) => {
  const { method } = endpoint
  const rest = { ...input }
  const path = `${base}${endpoint.path}`.replace(/[:*](\w+)/g, (_, key: string) => {
    const value = rest[key] ?? known[key] ?? 1
    delete rest[key]
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET') return { name, method, path, body: rest }
  const query = Object.entries(rest).map(([key, value]) => [key, String(value)])
  return { name, method, path: `${path}?${new URLSearchParams(query)}` }
}

/** A value of the schema that contains the text wherever text is allowed. */
const sample = (schema: z.ZodType, text: string): unknown => {
  const inner = wrapped(schema)
  if (inner) return sample(inner, text)
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodBoolean) return true
  if (schema instanceof z.ZodNumber) return Math.max(1, schema.minValue ?? 1)
  if (schema instanceof z.ZodArray) return [sample(schema.element as z.ZodType, text)]
  if (schema instanceof z.ZodUnion)
    return sample((schema.options as z.ZodType[]).find(isText) ?? firstOf(schema), text)
  if (schema instanceof z.ZodRecord) return { customize: { '1': text, '3': text } }
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, each]) => [
        key,
        sample(each, text),
      ]),
    )
  return text
}

const firstOf = (schema: z.ZodUnion) => schema.options[0] as z.ZodType

const isText = (schema: z.ZodType) => schema instanceof z.ZodString || schema instanceof z.ZodURL

const wrapped = (schema: z.ZodType): z.ZodType | undefined => {
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    return schema.unwrap() as z.ZodType
  return undefined
}
