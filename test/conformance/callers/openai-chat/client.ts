import OpenAI, { APIError } from 'openai'
import type { Caller, ClientCall, ClientResponse, Endpoint } from '../../cell.ts'
import { refusalOf } from '../openai-errors.ts'
import { type Completion, readCompletion, sumOf } from './read.ts'
import { countedOf, type Params, paramsOf } from './write.ts'

const clientOf = ({ url, key }: Endpoint, { request }: Pick<ClientCall, 'request'>) =>
  new OpenAI({
    apiKey: key,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    defaultHeaders: request.headers ?? {},
  })

const whole = async (client: OpenAI, params: Params): Promise<ClientResponse> => {
  const { data, response } = await client.chat.completions
    .create({ ...params, stream: false })
    .withResponse()
  return { ...readCompletion(data as Completion), ...idIn(response.headers) }
}

const streamed = async (client: OpenAI, params: Params): Promise<ClientResponse> => {
  const stream_options = { include_usage: true }
  const { data, response } = await client.chat.completions
    .create({ ...params, stream: true, stream_options })
    .withResponse()
  const sum = sumOf()
  let refusal: ClientResponse['refusal']
  try {
    for await (const chunk of data) sum.add(chunk)
  } catch (error) {
    refusal = refusalOf(error)
  }
  const received = { ...readCompletion(sum.completion()), ...idIn(response.headers) }
  return { ...received, inputPieces: sum.inputPieces(), ...(refusal ? { refusal } : {}) }
}

const idIn = (headers: Headers) => ({ requestId: headers.get('x-request-id') ?? '' })

export const openaiChat: Caller = {
  id: 'openai-chat',
  client: 'openai',
  dialect: 'openai-chat',
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
    const { data } = await clientOf(endpoint, { request: { turns: [] } }).models.list()
    return data.map(each => each.id)
  },
  count: async (endpoint, clientCall) => {
    const { instructions, input } = countedOf(clientCall)
    const counted = await clientOf(endpoint, clientCall).responses.inputTokens.count({
      model: clientCall.model,
      instructions,
      input,
    })
    return counted.input_tokens
  },
  ping: {
    // https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes: a comment
    pattern: /^:.*\n\n/m,
    path: () => '/v1/chat/completions',
    body: clientCall => ({ ...paramsOf(clientCall), stream: true }),
  },
}
