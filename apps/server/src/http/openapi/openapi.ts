import type { Endpoint } from '@hub/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Feature } from '../../core/implement.ts'
import { version } from '../../lib/runtime/version.ts'

type Json = Record<string, unknown>

/** Serves the OpenAPI document and its page, generated from the contract that also defines the routes. */
export const registerOpenApi = async (
  scope: FastifyInstance,
  features: Record<string, Feature>,
) => {
  let made: Json | undefined
  /** Made at the first request: it would take a tenth of the time of a start. */
  const document = () => {
    made ??= makeOpenApi(features)
    return made
  }
  scope.get('/api/openapi.json', async () => document())
  let page: Promise<FastifyInstance> | undefined
  const servePage = async (request: FastifyRequest, reply: FastifyReply) => {
    // The page refers to its files relative to the trailing slash.
    if (request.url === '/api/docs') return reply.redirect('/api/docs/')
    page ??= import('./page.ts').then(({ makeOpenApiPage }) => makeOpenApiPage(document))
    const { url, headers } = request
    const { statusCode, headers: sent, rawPayload } = await (await page).inject({ url, headers })
    return reply.code(statusCode).headers(sent).send(rawPayload)
  }
  scope.get('/api/docs', servePage)
  scope.get('/api/docs/*', servePage)
}

export const makeOpenApi = (features: Record<string, Feature>): Json => {
  const paths: Record<string, Json> = {}
  for (const [name, { resource }] of Object.entries(features))
    for (const [verb, endpoint] of Object.entries(resource.endpoints)) {
      const path = `${resource.base}${endpoint.path}`.replace(/[:*](\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: makeOperation(name, verb, endpoint),
      }
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Console API',
      version,
      description:
        'Paths and field names are those of One Hub. Responses have the form `{success, message, data}`; errors add a stable `code`.',
    },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'hub' },
        accessToken: { type: 'http', scheme: 'bearer' },
      },
    },
    paths,
  }
}

const makeOperation = (name: string, verb: string, endpoint: Endpoint): Json => {
  const input = toJsonSchema(endpoint.input, 'input')
  const properties = (input.properties ?? {}) as Record<string, Json>
  const pathNames = [...endpoint.path.matchAll(/[:*](\w+)/g)].map(match => match[1]!)
  const otherNames = Object.keys(properties).filter(key => !pathNames.includes(key))
  const isInQuery = (key: string) =>
    endpoint.method === 'GET' || endpoint.query?.includes(key) === true
  const bodyNames = otherNames.filter(key => !isInQuery(key))
  const required = (input.required ?? []) as string[]
  const parameters = [...pathNames, ...otherNames.filter(isInQuery)].map(key => ({
    name: key,
    in: pathNames.includes(key) ? 'path' : 'query',
    required: pathNames.includes(key) || required.includes(key),
    schema: properties[key] ?? { type: 'string' },
  }))
  return {
    operationId: `${name}.${verb}`,
    tags: [name],
    summary: endpoint.summary,
    'x-access': endpoint.access,
    security: endpoint.access === 'public' ? [] : [{ session: [] }, { accessToken: [] }],
    parameters,
    ...(bodyNames.length > 0 && {
      requestBody: makeRequestBody(endpoint, input, bodyNames, required),
    }),
    responses: makeResponses(endpoint),
  }
}

const makeRequestBody = (
  { ignored = [], unsupported = [] }: Endpoint,
  input: Json,
  keys: string[],
  required: string[],
): Json => {
  const all = input.properties as Record<string, Json>
  const describe = (names: readonly string[], description: string) =>
    names.filter(name => !name.includes('.')).map((name): [string, Json] => [name, { description }])
  const properties = Object.fromEntries([
    ...keys.map((key): [string, Json] => [key, all[key]!]),
    ...describe(ignored, 'Ignored, so that a row may be sent back whole.'),
    ...describe(unsupported, 'Not supported: refused unless empty, 0, false or not enabled.'),
  ])
  const schema = {
    type: 'object',
    properties,
    required: required.filter(key => keys.includes(key)),
    additionalProperties: false,
  }
  return { required: true, content: { 'application/json': { schema } } }
}

const makeResponses = (endpoint: Endpoint): Json => {
  const data = toJsonSchema(endpoint.response, 'output')
  const schema =
    endpoint.envelope === false
      ? data
      : {
          type: 'object',
          properties: { success: { const: true }, message: { type: 'string' }, data },
          required: ['success', 'message'],
        }
  const errorSchema = {
    type: 'object',
    properties: {
      success: { const: false },
      message: { type: 'string' },
      code: { type: 'string' },
      data: { description: 'What a sentence cannot list, of faults that have it' },
    },
    required: ['success', 'message', 'code'],
  }
  return {
    200: { description: 'Done', content: contentOf(endpoint, { schema, event: data }) },
    default: { description: 'Refused', content: { 'application/json': { schema: errorSchema } } },
  }
}

const contentOf = (endpoint: Endpoint, { schema, event }: { schema: Json; event: Json }): Json => {
  if (endpoint.file) return { '*/*': { schema: { type: 'string', format: 'binary' } } }
  if (endpoint.events) return { 'text/event-stream': { schema: event } }
  return { 'application/json': { schema } }
}

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}
