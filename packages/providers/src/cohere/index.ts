import { apiKey, bearer, defineEndpoint, defineProvider, defineVendorEndpoint } from '../define.ts'
import { drop, type Quirk } from '../quirks.ts'
import { cohereChat } from './dialect.ts'
import { cohereRules } from './model-rules.ts'
import { rerank } from './rerank.ts'

/** The vendor takes lists only. */
const listInput: Quirk = {
  reach: 'top',
  edit: view => {
    const input = view.get('input')
    if (typeof input === 'string') view.set('input', [input])
  },
}

// Address and key: https://docs.cohere.com/reference/about
// The vendor's OpenAI-compatible address lacks documents, thinking and usage details, so chat has its own format:
// https://docs.cohere.com/docs/compatibility-api
export default defineProvider({
  id: 'cohere',
  name: 'Cohere',
  type: 36,
  baseUrl: 'https://api.cohere.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [defineVendorEndpoint(cohereChat, '/v2/chat', { modelRules: cohereRules })],
    // Without `dimensions` by that page; it is sent nevertheless, because an error is better than other numbers.
    embeddings: [
      defineEndpoint('openai-chat', '/compatibility/v1/embeddings', {
        quirks: [drop(['user']), listInput],
      }),
    ],
    rerank: [defineEndpoint('cohere', '/v2/rerank', { translation: rerank })],
  },
  links: {
    site: 'https://cohere.com',
    keys: 'https://dashboard.cohere.com/api-keys',
    docs: 'https://docs.cohere.com/reference/chat',
  },
  // https://docs.cohere.com/docs/models
  defaultModels: [
    'command-a-03-2025',
    'command-r-08-2024',
    'command-r7b-12-2024',
    'embed-v4.0',
    'rerank-v3.5',
  ],
  testModel: 'command-r7b-12-2024',
  // https://docs.cohere.com/reference/list-models
  modelListPath: '/v1/models?page_size=1000',
  readModelIds: list => namesIn(list),
  // https://docs.cohere.com/reference/errors
  errorRules: [{ status: 402, fault: 'upstream.funds', channel: 'disable' }],
})

const servedEndpoints = ['chat', 'embed', 'rerank']

const namesIn = (list: unknown): string[] => {
  const { models } = (list ?? {}) as { models?: readonly { name?: unknown; endpoints?: unknown }[] }
  return (models ?? []).flatMap(({ name, endpoints }) =>
    typeof name === 'string' &&
    Array.isArray(endpoints) &&
    endpoints.some(each => servedEndpoints.includes(each))
      ? [name]
      : [],
  )
}
