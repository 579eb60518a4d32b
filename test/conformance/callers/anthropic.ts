import Anthropic, { APIError } from '@anthropic-ai/sdk'
import type { Ask, Caller, Door, Heard } from '../cell.ts'
import { given, type Refusal } from '../facts.ts'
import { readMessage } from './anthropic-read.ts'
import { type Params, paramsOf } from './anthropic-write.ts'

const clientOf = ({ url, key }: Door, { asks }: Pick<Ask, 'asks'>) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0, defaultHeaders: asks.headers ?? {} })

const whole = async (client: Anthropic, params: Params): Promise<Heard> => {
  const { data, response } = await client.messages
    .create({ ...params, stream: false })
    .withResponse()
  return { ...readMessage(data), ...idIn(response.headers) }
}

const streamed = async (client: Anthropic, params: Params): Promise<Heard> => {
  const stream = client.messages.stream(params)
  let inputPieces = 0
  stream.on('inputJson', piece => {
    if (piece !== '') inputPieces += 1
  })
  const { response } = await stream.withResponse()
  try {
    const heard = { ...readMessage(await stream.finalMessage()), ...idIn(response.headers) }
    return { ...heard, inputPieces }
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
  return given({
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
  ask: async (door, ask) => {
    const client = clientOf(door, ask)
    try {
      return await (ask.stream ? streamed : whole)(client, paramsOf(ask))
    } catch (error) {
      if (!(error instanceof APIError)) throw error
      return { refusal: refusalOf(error), requestId: error.requestID ?? '' }
    }
  },
  models: async door => {
    const { data } = await clientOf(door, { asks: { turns: [] } }).models.list({ limit: 1_000 })
    return data.map(each => each.id)
  },
  count: async (door, ask) => {
    const { model, messages, system } = paramsOf(ask)
    const counted = await clientOf(door, ask).messages.countTokens({
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
    body: ask => ({ ...paramsOf(ask), stream: true }),
  },
}
