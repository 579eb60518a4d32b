import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, type LanguageModel, streamText } from 'ai'
import type { Caller, ClientCall, ClientResponse, Endpoint, Feature } from '../../cell.ts'
import type { Dialect, NeutralRequest, Refusal, Tool } from '../../neutral.ts'
import { type Answer, readAnswer } from './read.ts'
import { optionsOf } from './write.ts'

// Second clients: https://ai-sdk.dev/docs supports all four dialects, with a reader of its own for each.

/** The client warns about models that its own list does not contain. */
globalThis.AI_SDK_LOG_WARNINGS = false

type Maker = (endpoint: Endpoint, model: string) => LanguageModel

/** Each call sets `maxRetries: 0`, so that an error reaches the test at once. */
const makers: Readonly<Record<Dialect, Maker>> = {
  'openai-chat': ({ url, key }, model) =>
    createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).chat(model),
  'openai-responses': ({ url, key }, model) =>
    createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).responses(model),
  anthropic: ({ url, key }, model) => createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(model),
  gemini: ({ url, key }, model) =>
    createGoogleGenerativeAI({ apiKey: key, baseURL: `${url}/v1beta` })(model),
}

/** Features that the client can express in every dialect. */
const features = new Set([
  ...['text', 'system', 'turns', 'answer-goes-back', 'image-data', 'file-data'],
  ...['tool', 'tool-after-text', 'tool-pieces', 'tool-without-input', 'tool-result'],
  ...['tool-goes-back', 'choice-none', 'choice-auto', 'choice-required', 'choice-named'],
  ...['output-max', 'temperature', 'top-p', 'stop-end', 'stop-length', 'stop-tool'],
  ...['usage', 'usage-cached', 'usage-reasoning', 'headers'],
  ...['error-busy', 'error-invalid', 'error-broken', 'error-credential', 'error-in-stream'],
  ...['error-key', 'error-model'],
])

/** Features that the client encodes in its own form: results of tools as an object, no names. */
const unlike: Partial<Record<Dialect, readonly string[]>> = {
  gemini: ['file-data', 'tool-result', 'tool-goes-back', 'tool-pieces'],
  // It knows these models as ones that do not let themselves be steered so.
  'openai-chat': ['temperature', 'top-p'],
  'openai-responses': ['temperature', 'top-p'],
}

const statuses: Readonly<Record<number, Refusal['kind']>> = {
  400: 'invalid',
  401: 'unauthorized',
  404: 'not-found',
  429: 'busy',
  503: 'busy',
  529: 'busy',
}

const refusalOf = (error: unknown): Refusal => {
  if (!APICallError.isInstance(error))
    return { kind: 'broken', status: 500, message: error instanceof Error ? error.message : '' }
  const { statusCode = 500, message, responseHeaders } = error
  const after = responseHeaders?.['retry-after']
  const refusal = { kind: statuses[statusCode] ?? 'broken', status: statusCode, message }
  return after === undefined ? refusal : { ...refusal, retryAfter: Number(after) }
}

const whole = async (model: LanguageModel, clientCall: ClientCall): Promise<ClientResponse> =>
  readAnswer(await generateText({ ...optionsOf(clientCall), model }))

const streamed = async (model: LanguageModel, clientCall: ClientCall): Promise<ClientResponse> => {
  const result = streamText({ ...optionsOf(clientCall), model, onError: () => undefined })
  let inputPieces = 0
  let text = ''
  for await (const part of result.fullStream) {
    if (part.type === 'tool-input-delta') inputPieces += 1
    if (part.type === 'text-delta') text += part.text
    if (part.type !== 'error') continue
    return { ...(text ? { pieces: [{ text }] } : {}), refusal: refusalOf(part.error) }
  }
  const [content, finishReason, usage, responseMessages] = await Promise.all([
    result.content,
    result.finishReason,
    result.usage,
    result.responseMessages,
  ])
  const answer = { content, finishReason, usage, responseMessages } satisfies Answer
  return { ...readAnswer(answer), inputPieces }
}

/** With tools it also sends the default choice, and to Responses `strict: false`. */
const additions =
  (dialect: Dialect) =>
  ({ tools, choice = 'auto' }: NeutralRequest): Partial<NeutralRequest> => {
    if (!tools) return {}
    const loose = (tool: Tool) => ('server' in tool ? tool : { ...tool, strict: false })
    return dialect === 'openai-responses' ? { choice, tools: tools.map(loose) } : { choice }
  }

const aiOf = (dialect: Dialect): Caller => ({
  id: `ai-${dialect}`,
  client: `ai, @ai-sdk/${{ anthropic: 'anthropic', gemini: 'google' }[dialect as string] ?? 'openai'}`,
  dialect,
  can: ({ name }: Feature) => features.has(name) && !unlike[dialect]?.includes(name),
  additions: { facts: additions(dialect), notes: /eager_input_streaming|include$/ },
  clientCall: async (endpoint, clientCall) => {
    try {
      return await (clientCall.stream ? streamed : whole)(
        makers[dialect](endpoint, clientCall.model),
        clientCall,
      )
    } catch (error) {
      return { refusal: refusalOf(error) }
    }
  },
})

export const secondClients: readonly Caller[] = (Object.keys(makers) as Dialect[]).map(aiOf)
