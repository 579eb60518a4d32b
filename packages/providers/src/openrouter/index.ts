import { balanceDifference } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { addRouting, options } from './options.ts'
import { priceFields } from './price-fields.ts'

const quirks = [addRouting]
// The requests of one session go to one provider: https://openrouter.ai/docs/guides/best-practices/prompt-caching
const promptCacheKey = { field: 'session_id' }

// Address, key and fields: https://openrouter.ai/docs/api/reference/overview
// Answers always have usage. stream_options.include_usage no longer has an effect:
// https://openrouter.ai/docs/client-sdks/typescript/models/chatstreamoptions
export default defineProvider({
  id: 'openrouter',
  name: 'OpenRouter',
  type: 20,
  baseUrl: 'https://openrouter.ai/api',
  credential: apiKey(),
  sign: bearer,
  priceFields,
  // https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
  effort: [
    {
      fields: level => ({
        reasoning:
          level === 'on' ? { enabled: true } : { effort: level === 'off' ? 'none' : level },
      }),
    },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', { quirks, promptCacheKey }),
      // https://openrouter.ai/docs/api/api-reference/anthropic-messages/create-a-message
      defineEndpoint('anthropic', '/v1/messages', { quirks, promptCacheKey }),
      // Beta, stores no responses: https://openrouter.ai/docs/api/reference/responses/overview
      defineEndpoint('openai-responses', '/v1/responses', { quirks, promptCacheKey }),
    ],
    // https://openrouter.ai/docs/api/reference/embeddings
    embeddings: [defineEndpoint('openai-chat', '/v1/embeddings', { quirks })],
  },
  options,
  links: {
    site: 'https://openrouter.ai',
    keys: 'https://openrouter.ai/settings/keys',
    docs: 'https://openrouter.ai/docs/api/reference/overview',
  },
  // Aliases of the newest models: https://openrouter.ai/~openai/gpt-latest
  defaultModels: ['~openai/gpt-latest', '~x-ai/grok-latest', '~z-ai/glm-flash-latest'],
  testModel: '~z-ai/glm-flash-latest',
  modelListPath: '/v1/models',
  // Needs a management key: https://openrouter.ai/docs/api/api-reference/credits/get-credits
  balance: balanceDifference('/v1/credits', ['data', 'total_credits'], ['data', 'total_usage']),
  // https://openrouter.ai/docs/api/reference/errors-and-debugging
  errorRules: [
    // A smaller request may still be paid: https://github.com/can1357/oh-my-pi/issues/9569
    { status: 402, match: /fewer max_tokens/i, fault: 'upstream.funds' },
    { status: 402, fault: 'upstream.funds', channel: 'disable' },
  ],
})
