import { balanceOf } from '../balance.ts'
import { apiKey, bearer, defineProvider, speak } from '../define.ts'

// Address, key and fields: https://openrouter.ai/docs/api/reference/overview
// Usage always comes; stream_options.include_usage has no effect any more:
// https://openrouter.ai/docs/client-sdks/typescript/models/chatstreamoptions
export default defineProvider({
  id: 'openrouter',
  name: 'OpenRouter',
  type: 20,
  baseUrl: 'https://openrouter.ai/api',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions'),
      // https://openrouter.ai/docs/api/api-reference/anthropic-messages/create-a-message
      speak('anthropic', '/v1/messages'),
      // In beta, and it keeps no state: https://openrouter.ai/docs/api/reference/responses/overview
      speak('openai-responses', '/v1/responses'),
    ],
    // https://openrouter.ai/docs/api/reference/embeddings
    embeddings: [speak('openai-chat', '/v1/embeddings')],
  },
  links: {
    site: 'https://openrouter.ai',
    keys: 'https://openrouter.ai/settings/keys',
    docs: 'https://openrouter.ai/docs/api/reference/overview',
  },
  // Names that always lead to a newest model: https://openrouter.ai/~openai/gpt-latest
  presets: ['~openai/gpt-latest', '~x-ai/grok-latest', '~z-ai/glm-flash-latest'],
  testModel: '~z-ai/glm-flash-latest',
  models: '/v1/models',
  // With a management key only: https://openrouter.ai/docs/api/api-reference/credits/get-credits
  balance: balanceOf('/v1/credits', ['data', 'total_credits'], ['data', 'total_usage']),
  // https://openrouter.ai/docs/api/reference/errors-and-debugging
  means: [{ status: 402, fault: 'upstream.credential', channel: 'disable' }],
})
