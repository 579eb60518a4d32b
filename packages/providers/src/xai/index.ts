import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import {
  alwaysByName,
  byName,
  commonNames,
  plainRule,
  thinkerRule,
  threeNames,
} from '../effort-rules.ts'
import { drop } from '../quirks.ts'
import { withoutEffort, withoutSampling, xaiRules } from './model-rules.ts'
import { priceFields } from './price-fields.ts'

// Address, max_completion_tokens, stream_options: https://docs.x.ai/docs/api-reference#chat-completions
// Every frame has the usage so far: https://docs.x.ai/docs/guides/streaming-response
// Models: https://docs.x.ai/docs/models, without those in https://docs.x.ai/docs/migration/may-15-retirement
export default defineProvider({
  id: 'xai',
  telemetryName: 'x_ai',
  name: 'xAI',
  type: 56,
  baseUrl: 'https://api.x.ai',
  ownHosts: /^api\.x\.ai$/,
  credential: apiKey(),
  sign: bearer,
  priceFields,
  // https://docs.x.ai/docs/guides/reasoning
  effort: [
    plainRule(/non-reasoning|grok-(2|3(?!-mini))/),
    {
      onlyModels: /grok-3-mini/,
      fields: alwaysByName({ ...threeNames, medium: 'high', on: 'high' }),
    },
    thinkerRule(/grok-(code|build)/),
    { fields: byName({ ...commonNames, ...threeNames }) },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        modelRules: xaiRules,
        usageFlag: true,
        // https://docs.x.ai/docs/guides/prompt-caching
        promptCacheKey: { header: 'x-grok-conv-id' },
        quirks: [
          drop(['stop', 'presence_penalty', 'frequency_penalty'], withoutSampling),
          drop(['reasoning_effort'], withoutEffort),
        ],
      }),
      // The Anthropic endpoint is deprecated: https://docs.x.ai/docs/api-reference
      // Responses are stored for 30 days: https://docs.x.ai/docs/guides/chat
      defineEndpoint('openai-responses', '/v1/responses', {
        storedResponses: ['answers'],
        promptCacheKey: { field: 'prompt_cache_key' },
      }),
    ],
    // https://docs.x.ai/docs/guides/image-generations
    images: [defineEndpoint('openai', '/v1/images/generations')],
    // JSON only: https://docs.x.ai/developers/model-capabilities/images/generation
    'image-edits': [defineEndpoint('openai', '/v1/images/edits', { jsonOnly: true })],
  },
  links: {
    site: 'https://x.ai',
    keys: 'https://console.x.ai',
    docs: 'https://docs.x.ai/docs/api-reference',
  },
  defaultModels: ['grok-4.7', 'grok-4.6', 'grok-4.5', 'grok-4.3'],
  testModel: 'grok-4.3',
  modelListPath: '/v1/models',
  errorRules: [
    // A wrong key has status 400, like an invalid request.
    { match: /^incorrect api key/i, fault: 'upstream.credential', channel: 'disable' },
  ],
})
