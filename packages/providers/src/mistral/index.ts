import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { thinkerRule } from '../effort-rules.ts'
import { drop, rename } from '../quirks.ts'
import { chatQuirks } from './chat-quirks.ts'
import { mistralRules } from './model-rules.ts'

// Address, max_tokens, random_seed, the list of fields: https://docs.mistral.ai/api/#tag/chat
export default defineProvider({
  id: 'mistral',
  telemetryName: 'mistral_ai',
  name: 'Mistral',
  type: 30,
  baseUrl: 'https://api.mistral.ai',
  credential: apiKey(),
  sign: bearer,
  // https://docs.mistral.ai/capabilities/reasoning
  effort: [
    thinkerRule(),
    { fields: level => ({ reasoning_effort: level === 'off' ? 'none' : 'high' }) },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        modelRules: mistralRules,
        quirks: chatQuirks,
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
