import type { IncomingMessage } from 'node:http'
import {
  anthropic,
  type Dialect,
  gemini,
  geminiArray,
  geminiEmbeddings,
  type Named,
  openaiChat,
  openaiEmbeddings,
  openaiResponses,
  type PublicId,
  readGeminiPath,
} from '@hub/dialects'
import { operationOfModel } from './model-kind.ts'

export type Operation =
  | 'chat'
  | 'embeddings'
  | 'count'
  | 'models'
  | 'model'
  | 'subscription'
  | 'usage'
  | 'hello'
  | 'compact'
  | 'answer'
  | 'answer-delete'
  | 'answer-cancel'
  | 'answer-input'

/** A public address: what is asked for there, and in which dialect. */
export type Row = {
  method: 'GET' | 'POST' | 'DELETE'
  /** As Fastify writes patterns. */
  path: string
  operation: Operation
  dialect: Dialect
  /** Of several rows with one address the first that fits is asked, and the last of them fits anything. */
  fits?: Fits | undefined
  /** Where the path says what other dialects say in the body; undefined: it says nothing that is served here. */
  named?: (path: string) => Named | undefined
  /** Of a stream, where the query says how it is to be cut. */
  streamOf?: (query: string) => Dialect
}

type Fits = (request: Pick<IncomingMessage, 'headers' | 'url'>) => boolean

/** New API's words for the dialects in which a chat can be held. */
const endpointTypes: Readonly<Record<PublicId, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai-response',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** The same for what a row serves; undefined: New API has no word for it. */
export const endpointTypeOf = ({ operation, dialect }: Row): string | undefined => {
  if (operation === 'embeddings') return dialect.id === 'gemini' ? undefined : 'embeddings'
  return operation === 'chat' ? endpointTypes[dialect.id] : undefined
}

/** What a model can be asked for. */
export const endpointTypesOf = (model: string): string[] =>
  operationOfModel(model) === 'embeddings' ? ['embeddings'] : Object.values(endpointTypes)

const chat = (path: string, dialect: Dialect): Row => ({
  method: 'POST',
  path,
  operation: 'chat',
  dialect,
})

const count = (path: string, dialect: Dialect): Row => ({
  ...chat(path, dialect),
  operation: 'count',
})

const embeddings = (path: string, dialect: Dialect): Row => ({
  ...chat(path, dialect),
  operation: 'embeddings',
})

/** What Gemini's address asks for, where its action is one of these. */
const doing = (actions: RegExp) => (address: string) => {
  const read = readGeminiPath(address)
  return read && actions.test(read.action) ? read : undefined
}

/** `…/models/{model}:{action}`; what else the vendor has is not served yet. */
const geminiModels = (path: string): Row[] => [
  {
    ...count(path, gemini),
    fits: ({ url }) => url?.includes(':countTokens') === true,
    named: doing(/^countTokens$/),
  },
  {
    ...embeddings(path, geminiEmbeddings),
    fits: ({ url }) => /:(batchE|e)mbedContent/.test(url ?? ''),
    named: doing(/^(embedContent|batchEmbedContents)$/),
  },
  {
    ...chat(path, gemini),
    named: doing(/^(streamG|g)enerateContent$/),
    streamOf: query => (/(^|&)alt=sse(&|$)/.test(query) ? gemini : geminiArray),
  },
]

/** What is asked of answers that a vendor keeps: https://platform.openai.com/docs/api-reference/responses */
const keptAnswers = (path: string, dialect: Dialect): Row[] => [
  count(`${path}/input_tokens`, dialect),
  { ...chat(`${path}/compact`, dialect), operation: 'compact' },
  { method: 'GET', path: `${path}/:id`, operation: 'answer', dialect },
  { method: 'DELETE', path: `${path}/:id`, operation: 'answer-delete', dialect },
  { method: 'POST', path: `${path}/:id/cancel`, operation: 'answer-cancel', dialect },
  { method: 'GET', path: `${path}/:id/input_items`, operation: 'answer-input', dialect },
]

const listing = (path: string, dialect: Dialect, fits?: Fits): Row[] => [
  { method: 'GET', path, operation: 'models', dialect, fits },
  // A model name may contain slashes.
  { method: 'GET', path: `${path}/*`, operation: 'model', dialect, fits },
]

/** OpenAI's addresses of before 2023, by which clients still show a balance. */
const billing = (path: string): Row[] => [
  { method: 'GET', path: `${path}/subscription`, operation: 'subscription', dialect: openaiChat },
  { method: 'GET', path: `${path}/usage`, operation: 'usage', dialect: openaiChat },
]

/** Its clients say it with every request, whichever header carries the key. */
const saysVersion: Fits = ({ headers }) => headers['anthropic-version'] !== undefined

const showsGoogleKey: Fits = ({ headers, url }) =>
  headers['x-goog-api-key'] !== undefined || /[?&]key=/.test(url ?? '')

export const surface: readonly Row[] = [
  chat('/v1/chat/completions', openaiChat),
  // For clients whose base address was given without the version.
  chat('/chat/completions', openaiChat),
  chat('/v1/responses', openaiResponses),
  chat('/responses', openaiResponses),
  ...keptAnswers('/v1/responses', openaiResponses),
  ...keptAnswers('/responses', openaiResponses),
  chat('/v1/messages', anthropic),
  chat('/messages', anthropic),
  chat('/claude/v1/messages', anthropic),
  chat('/anthropic/v1/messages', anthropic),
  count('/v1/messages/count_tokens', anthropic),
  count('/messages/count_tokens', anthropic),
  count('/claude/v1/messages/count_tokens', anthropic),
  count('/anthropic/v1/messages/count_tokens', anthropic),
  embeddings('/v1/embeddings', openaiEmbeddings),
  embeddings('/embeddings', openaiEmbeddings),
  ...geminiModels('/v1beta/models/*'),
  ...geminiModels('/v1/models/*'),
  ...geminiModels('/gemini/v1beta/models/*'),
  ...geminiModels('/gemini/v1/models/*'),
  ...listing('/v1/models', anthropic, saysVersion),
  ...listing('/v1/models', gemini, showsGoogleKey),
  ...listing('/v1/models', openaiChat),
  ...listing('/models', anthropic, saysVersion),
  ...listing('/models', gemini, showsGoogleKey),
  ...listing('/models', openaiChat),
  ...listing('/claude/v1/models', anthropic),
  ...listing('/anthropic/v1/models', anthropic),
  ...listing('/v1beta/models', gemini),
  ...listing('/gemini/v1beta/models', gemini),
  ...listing('/gemini/v1/models', gemini),
  ...billing('/v1/dashboard/billing'),
  ...billing('/dashboard/billing'),
  // Claude Code looks whether anybody is there: https://code.claude.com/docs/en/llm-gateway-protocol
  { method: 'GET', path: '/api/hello', operation: 'hello', dialect: anthropic },
]
