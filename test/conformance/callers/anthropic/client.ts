import Anthropic, { APIError } from '@anthropic-ai/sdk'
import type { Caller, ClientCall, ClientResponse, Endpoint } from '../../cell.ts'
import { definedFields, type Refusal } from '../../neutral.ts'
import { readMessage } from './read.ts'
import { type Params, paramsOf } from './write.ts'

const clientOf = ({ url, key }: Endpoint, { request }: Pick<ClientCall, 'request'>) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0, defaultHeaders: request.headers ?? {} })

const whole = async (client: Anthropic, params: Params): Promise<ClientResponse> => {
  const { data, response } = await client.messages
    .create({ ...params, stream: false })
    .withResponse()
  return { ...readMessage(data), ...idIn(response.headers) }
}

const streamed = async (client: Anthropic, params: Params): Promise<ClientResponse> => {
  const stream = client.messages.stream(params)
  let inputPieces = 0
  stream.on('inputJson', piece => {
    if (piece !== '') inputPieces += 1
  })
  const { response } = await stream.withResponse()
  try {
    const received = { ...readMessage(await stream.finalMessage()), ...idIn(response.headers) }
    return { ...received, inputPieces }
  } catch (error) {
    const sofar = stream.currentMessage
    return { ...(sofar ? readMessage(sofar) : {}), refusal: refusalOf(error) }
  }
}

const idIn = (headers: Headers) => ({ requestId: headers.get('request-id') ?? '' })

/** https://platform.claude.com/docs/en/api/errors */
const kinds: Readonly<Record<string, Refusal['kind']>> = {
  invalid_request_error: 'invalid',
  authentication_error: 'unauthorized',
  not_found_error: 'not-found',
  rate_limit_error: 'busy',
  overloaded_error: 'busy',
}

const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof APIError)) throw error
  const { type, message, headers } = error
  const status: number | undefined = error.status
  const after = headers?.get('retry-after')
  return definedFields({
    kind: kinds[type ?? ''] ?? 'broken',
    status: status ?? 500,
    message,
    retryAfter: after ? Number(after) : undefined,
  })
}

export const anthropic: Caller = {
  id: 'anthropic',
  client: '@anthropic-ai/sdk',
  dialect: 'anthropic',
  clientCall: async (endpoint, clientCall) => {
    const client = clientOf(endpoint, clientCall)
    try {
      return await (clientCall.stream ? streamed : whole)(client, paramsOf(clientCall))
    } catch (error) {
      if (!(error instanceof APIError)) throw error
      return { refusal: refusalOf(error), requestId: error.requestID ?? '' }
    }
  },
  models: async endpoint => {
    const { data } = await clientOf(endpoint, { request: { turns: [] } }).models.list({
      limit: 1_000,
    })
    return data.map(each => each.id)
  },
  count: async (endpoint, clientCall) => {
    const { model, messages, system } = paramsOf(clientCall)
    const counted = await clientOf(endpoint, clientCall).messages.countTokens({
      model,
      messages,
      ...(system === undefined ? {} : { system }),
    })
    return counted.input_tokens
  },
  ping: {
    // https://platform.claude.com/docs/en/build-with-claude/streaming#ping-events
    pattern: /^event: ping\r?\ndata: \{"type": ?"ping"\}/m,
    path: () => '/v1/messages',
    body: clientCall => ({ ...paramsOf(clientCall), stream: true }),
  },
}
