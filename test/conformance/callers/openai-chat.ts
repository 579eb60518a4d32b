import OpenAI, { APIError } from 'openai'
import type { Ask, Caller, Door, Heard } from '../cell.ts'
import { type Completion, readCompletion, sumOf } from './openai-chat-read.ts'
import { countedOf, type Params, paramsOf } from './openai-chat-write.ts'
import { refusalOf } from './openai-errors.ts'

const clientOf = ({ url, key }: Door, { asks }: Pick<Ask, 'asks'>) =>
  new OpenAI({
    apiKey: key,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    defaultHeaders: asks.headers ?? {},
  })

const whole = async (client: OpenAI, params: Params): Promise<Heard> => {
  const { data, response } = await client.chat.completions
    .create({ ...params, stream: false })
    .withResponse()
  return { ...readCompletion(data as Completion), ...idIn(response.headers) }
}

const streamed = async (client: OpenAI, params: Params): Promise<Heard> => {
  const stream_options = { include_usage: true }
  const { data, response } = await client.chat.completions
    .create({ ...params, stream: true, stream_options })
    .withResponse()
  const sum = sumOf()
  let refusal: Heard['refusal']
  try {
    for await (const chunk of data) sum.add(chunk)
  } catch (error) {
    refusal = refusalOf(error)
  }
  const heard = { ...readCompletion(sum.completion()), ...idIn(response.headers) }
  return { ...heard, inputPieces: sum.inputPieces(), ...(refusal ? { refusal } : {}) }
}

const idIn = (headers: Headers) => ({ requestId: headers.get('x-request-id') ?? '' })

export const openaiChat: Caller = {
  id: 'openai-chat',
  client: 'openai',
  dialect: 'openai-chat',
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
    const { data } = await clientOf(door, { asks: { turns: [] } }).models.list()
    return data.map(each => each.id)
  },
  count: async (door, ask) => {
    const { instructions, input } = countedOf(ask)
    const counted = await clientOf(door, ask).responses.inputTokens.count({
      model: ask.model,
      instructions,
      input,
    })
    return counted.input_tokens
  },
  ping: {
    // https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes: a comment
    pattern: /^:.*\n\n/m,
    path: () => '/v1/chat/completions',
    body: ask => ({ ...paramsOf(ask), stream: true }),
  },
}
