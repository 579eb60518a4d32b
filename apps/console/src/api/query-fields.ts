import { contract, type Endpoint } from '@hub/contract'
import { z } from 'zod'

/** One query parameter, as JSON Schema. */
export type QueryField = {
  type?: 'string' | 'number' | 'integer' | 'boolean'
  const?: string | number
  enum?: readonly (string | number)[]
  anyOf?: readonly QueryField[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  /** The columns that `order` can name. */
  fields?: readonly string[]
}

const fieldsOf = ({ method, input }: Endpoint): Record<string, QueryField> => {
  if (method !== 'GET' || !(input instanceof z.ZodObject)) return {}
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return (schema.properties ?? {}) as Record<string, QueryField>
}

/**
 * The query parameters of every endpoint that has some, by `resource.action`. The build replaces this module by its value,
 * like `endpoints.ts`, so that tables do not load the schemas of the whole contract.
 */
export const queryFields: Record<string, Record<string, QueryField>> = Object.fromEntries(
  Object.entries(contract)
    .flatMap(([resource, { endpoints }]) =>
      Object.entries(endpoints as Record<string, Endpoint>).map(
        ([action, endpoint]) => [`${resource}.${action}`, fieldsOf(endpoint)] as const,
      ),
    )
    .filter(([, fields]) => Object.keys(fields).length > 0),
)
