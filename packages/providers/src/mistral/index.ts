import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { drop, rename, roleAs } from '../quirks.ts'

// Address, max_tokens, random_seed, the fields there are: https://docs.mistral.ai/api/#tag/chat
export default defineProvider({
  id: 'mistral',
  name: 'Mistral',
  type: 30,
  baseUrl: 'https://api.mistral.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
        quirks: [
          // Unknown fields are refused (422); the usage comes with the last frame without asking.
          drop(['stream_options', 'logprobs', 'top_logprobs', 'user', 'store']),
          rename('max_completion_tokens', 'max_tokens'),
          rename('seed', 'random_seed'),
          roleAs('developer', 'system'),
        ],
      }),
    ],
    // https://docs.mistral.ai/api/endpoint/embeddings
    embeddings: [
      speak('openai-chat', '/v1/embeddings', {
        quirks: [drop(['user']), rename('dimensions', 'output_dimension')],
      }),
    ],
  },
  links: {
    site: 'https://mistral.ai',
    keys: 'https://console.mistral.ai/api-keys',
    docs: 'https://docs.mistral.ai/api',
  },
  presets: ['mistral-large-latest', 'mistral-medium-latest', 'mistral-small-latest'],
  testModel: 'mistral-small-latest',
  models: '/v1/models',
})
