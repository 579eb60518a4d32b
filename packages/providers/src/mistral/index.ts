import { mistralToolRules } from '@hub/dialects'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { drop, rename, roleAs } from '../quirks.ts'

// Address, max_tokens, random_seed, the list of fields: https://docs.mistral.ai/api/#tag/chat
export default defineProvider({
  id: 'mistral',
  name: 'Mistral',
  type: 30,
  baseUrl: 'https://api.mistral.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        toolRules: mistralToolRules,
        quirks: [
          // Unknown fields are refused (422). The last frame always has the usage.
          drop(['stream_options', 'logprobs', 'top_logprobs', 'user', 'store']),
          rename('max_completion_tokens', 'max_tokens'),
          rename('seed', 'random_seed'),
          roleAs('developer', 'system'),
        ],
      }),
    ],
    // https://docs.mistral.ai/api/endpoint/embeddings
    embeddings: [
      defineEndpoint('openai-chat', '/v1/embeddings', {
        quirks: [drop(['user']), rename('dimensions', 'output_dimension')],
      }),
    ],
  },
  links: {
    site: 'https://mistral.ai',
    keys: 'https://console.mistral.ai/api-keys',
    docs: 'https://docs.mistral.ai/api',
  },
  defaultModels: ['mistral-large-latest', 'mistral-medium-latest', 'mistral-small-latest'],
  testModel: 'mistral-small-latest',
  modelListPath: '/v1/models',
})
