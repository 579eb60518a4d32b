import { apiKey, bearer, defineEndpoint, defineProvider, defineVendorEndpoint } from '../define.ts'
import { cohereChat } from './dialect.ts'
import { rerank } from './rerank.ts'

// Address and key: https://docs.cohere.com/reference/about
// The vendor's OpenAI-compatible address lacks documents, thinking and usage details, so its own format is used:
// https://docs.cohere.com/docs/compatibility-api
export default defineProvider({
  id: 'cohere',
  name: 'Cohere',
  type: 36,
  baseUrl: 'https://api.cohere.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [defineVendorEndpoint(cohereChat, '/v2/chat')],
    rerank: [defineEndpoint('cohere', '/v2/rerank', { translation: rerank })],
  },
  links: {
    site: 'https://cohere.com',
    keys: 'https://dashboard.cohere.com/api-keys',
    docs: 'https://docs.cohere.com/reference/chat',
  },
  // https://docs.cohere.com/docs/models
  defaultModels: ['command-a-03-2025', 'command-r-08-2024', 'command-r7b-12-2024', 'rerank-v3.5'],
  testModel: 'command-r7b-12-2024',
  // https://docs.cohere.com/reference/list-models
  modelListPath: '/v1/models?page_size=1000&endpoint=chat',
  readModelIds: list => namesIn(list),
  // https://docs.cohere.com/reference/errors
  errorRules: [{ status: 402, fault: 'upstream.credential', channel: 'disable' }],
})

const namesIn = (list: unknown): string[] => {
  const { models } = (list ?? {}) as { models?: readonly { name?: unknown }[] }
  return (models ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}
