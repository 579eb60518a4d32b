import OpenAI, { APIError } from 'openai'
import type { Caller, ClientCall, ClientResponse, Endpoint } from '../../cell.ts'
import { refusalOf } from '../openai-errors.ts'
import { readResponse } from './read.ts'
import { type Params, paramsOf } from './write.ts'

type Response = OpenAI.Responses.Response

/** The client shows no headers of a stream that it adds up, so they are read as they pass. */
const clientOf = ({ url, key }: Endpoint, { request }: Pick<ClientCall, 'request'>) => {
  const seen = { requestId: '' }
  const client = new OpenAI({
    apiKey: key,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    defaultHeaders: request.headers ?? {},
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      seen.requestId = response.headers.get('x-request-id') ?? ''
      return response
    },
  })
  return { client, seen }
}

const whole = async (client: OpenAI, params: Params): Promise<ClientResponse> =>
  readResponse(await client.responses.create({ ...params, stream: false }))

const streamed = async (client: OpenAI, params: Params): Promise<ClientResponse> => {
  const stream = client.responses.stream(params as Parameters<typeof client.responses.stream>[0])
  let inputPieces = 0
  let text = ''
  let last: Response | undefined
  stream.on('response.output_text.delta', ({ delta }) => {
    text += delta
  })
  stream.on('response.function_call_arguments.delta', () => {
    inputPieces += 1
  })
  for (const ending of ['response.completed', 'response.incomplete'] as const)
    stream.on(ending, (event: { response: Response }) => {
      last = event.response
    })
  try {
    const response = await stream.finalResponse()
    const deltas = deltasOf(response)
    if (text !== deltas) throw new Error(`“${text}” came in pieces, and “${deltas}” at the end`)
    // The client adds fields of its own to what it added up; what goes back is what came.
    return { ...readResponse(response), native: last?.output, inputPieces }
  } catch (error) {
    if (text === '') throw error
    return { pieces: [{ text }], refusal: refusalOf(error) }
  }
}

const deltasOf = ({ output }: Pick<Response, 'output'>): string =>
  output
    .flatMap(item => (item.type === 'message' ? item.content : []))
    .map(part => (part.type === 'output_text' ? part.text : ''))
    .join('')

export const openaiResponses: Caller = {
  id: 'openai-responses',
  client: 'openai',
  dialect: 'openai-responses',
  // Every vendor with encrypted thoughts returns them, requested or not.
  additions: { facts: () => ({}), notes: /: include$/ },
  clientCall: async (endpoint, clientCall) => {
    const { client, seen } = clientOf(endpoint, clientCall)
    try {
      const received = await (clientCall.stream ? streamed : whole)(client, paramsOf(clientCall))
      return { ...received, requestId: seen.requestId }
    } catch (error) {
      if (!(error instanceof APIError)) throw error
      return { refusal: refusalOf(error), requestId: error.requestID ?? '' }
    }
  },
  models: async endpoint => {
    const { client } = clientOf(endpoint, { request: { turns: [] } })
    return (await client.models.list()).data.map(each => each.id)
  },
  count: async (endpoint, clientCall) => {
    const { model, instructions, input } = paramsOf(clientCall)
    const { client } = clientOf(endpoint, clientCall)
    const counted = await client.responses.inputTokens.count({
      model: String(model),
      input,
      instructions: instructions ?? null,
    })
    return counted.input_tokens
  },
  ping: {
    // The vendor's own event, which the client takes (openai/openai-node src/internal/responses/response-accumulator.ts)
    pattern: /^event: keepalive\r?\ndata: \{"type": ?"keepalive"/m,
    path: () => '/v1/responses',
    body: clientCall => ({ ...paramsOf(clientCall), stream: true }),
  },
}
