import { ApiError, type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import type { Caller, ClientCall, ClientResponse, Endpoint } from '../../cell.ts'
import { definedFields, type Refusal } from '../../neutral.ts'
import { readChunks } from './read.ts'
import { contentOf, paramsOf } from './write.ts'

/** The client hides unknown fields at the top of a response: the test reads the bytes too. */
const listening = () => {
  let text = Promise.resolve('')
  const listen: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    text = response
      .clone()
      .text()
      .catch(() => '')
    return response
  }
  const unknown = async (): Promise<Pick<ClientResponse, 'unknown'>> => {
    const [, found] = /"brand_new_answer":\s*(\{[^{}]*\})/.exec(await text) ?? []
    return found ? { unknown: { brand_new_answer: JSON.parse(found) } } : {}
  }
  return { listen, unknown }
}

const clientOf = (
  { url, key }: Endpoint,
  { request }: Pick<ClientCall, 'request'>,
  listen = fetch,
) =>
  new GoogleGenAI({
    apiKey: key,
    httpOptions: { baseUrl: url, headers: request.headers ?? {}, fetch: listen },
  })

const idIn = ([chunk]: readonly GenerateContentResponse[]) => ({
  requestId: chunk?.sdkHttpResponse?.headers?.['x-request-id'] ?? '',
})

const streamed = async (client: GoogleGenAI, clientCall: ClientCall): Promise<ClientResponse> => {
  const chunks: GenerateContentResponse[] = []
  try {
    for await (const chunk of await client.models.generateContentStream(paramsOf(clientCall)))
      chunks.push(chunk)
  } catch (error) {
    if (chunks.length === 0) throw error
    return { ...readChunks(chunks), refusal: refusalOf(error) }
  }
  return { ...readChunks(chunks), ...idIn(chunks) }
}

const whole = async (client: GoogleGenAI, clientCall: ClientCall): Promise<ClientResponse> => {
  const answer = await client.models.generateContent(paramsOf(clientCall))
  return { ...readChunks([answer]), ...idIn([answer]) }
}

/** https://google.aip.dev/193 */
const kinds: Readonly<Record<string, Refusal['kind']>> = {
  INVALID_ARGUMENT: 'invalid',
  UNAUTHENTICATED: 'unauthorized',
  NOT_FOUND: 'not-found',
  RESOURCE_EXHAUSTED: 'busy',
  UNAVAILABLE: 'busy',
}

type GoogleError = { message?: string; status?: string; details?: { retryDelay?: string }[] }

/** The client's message is the vendor's whole answer, behind a few words of its own. */
const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof ApiError)) throw error
  const { message, status } = error
  const googleError: GoogleError = JSON.parse(message.slice(message.indexOf('{'))).error ?? {}
  const delay = googleError.details?.find(each => each.retryDelay)?.retryDelay
  return definedFields({
    kind: kinds[googleError.status ?? ''] ?? 'broken',
    status,
    message: googleError.message ?? '',
    retryAfter: delay ? Number.parseFloat(delay) : undefined,
  })
}

export const gemini: Caller = {
  id: 'gemini',
  client: '@google/genai',
  dialect: 'gemini',
  clientCall: async (endpoint, clientCall) => {
    const { listen, unknown } = listening()
    const client = clientOf(endpoint, clientCall, listen)
    try {
      const received = await (clientCall.stream ? streamed : whole)(client, clientCall)
      return { ...received, ...(await unknown()) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { refusal: refusalOf(error) }
    }
  },
  models: async endpoint => {
    const names: string[] = []
    const pager = await clientOf(endpoint, { request: { turns: [] } }).models.list({
      config: { pageSize: 1_000 },
    })
    for await (const { name = '' } of pager) names.push(name.replace(/^models\//, ''))
    return names
  },
  count: async (endpoint, clientCall) => {
    const { model, contents } = paramsOf(clientCall)
    const { totalTokens = 0 } = await clientOf(endpoint, clientCall).models.countTokens({
      model,
      contents,
    })
    return totalTokens
  },
  ping: {
    // https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes: a comment
    pattern: /^:.*\n\n/m,
    path: model => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: ({ request }) => ({ contents: request.turns.map(contentOf) }),
  },
}
