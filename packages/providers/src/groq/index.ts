import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import {
  alwaysByName,
  byName,
  commonNames,
  hasNoLevels,
  isLevel,
  thinkerRule,
  threeNames,
} from '../effort-rules.ts'
import { groqRules } from './model-rules.ts'
import { priceFields } from './price-fields.ts'

// Address, max_completion_tokens, stream_options: https://console.groq.com/docs/api-reference#chat-create
// Models: https://console.groq.com/docs/models, without those in https://console.groq.com/docs/deprecations
export default defineProvider({
  id: 'groq',
  name: 'Groq',
  type: 31,
  baseUrl: 'https://api.groq.com/openai',
  credential: apiKey(),
  sign: bearer,
  priceFields,
  // https://console.groq.com/docs/reasoning
  effort: [
    { onlyModels: /gpt-oss/, fields: alwaysByName(threeNames) },
    {
      onlyModels: /qwen/,
      fields: level =>
        isLevel(level) ? hasNoLevels : { reasoning_effort: level === 'off' ? 'none' : 'default' },
    },
    thinkerRule(),
    { fields: byName(commonNames) },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        // "Up to 4 sequences": https://console.groq.com/docs/api-reference#chat-create
        modelRules: groqRules,
      }),
      // https://console.groq.com/docs/responses-api
      defineEndpoint('openai-responses', '/v1/responses'),
    ],
    // Streams no events: https://console.groq.com/docs/text-to-speech
    speech: [
      defineEndpoint('vendor', '/v1/audio/speech', {
        translation: { encodeRequest: request => ({ body: request }) },
      }),
    ],
    // https://console.groq.com/docs/speech-to-text
    transcriptions: [defineEndpoint('openai', '/v1/audio/transcriptions')],
    translations: [defineEndpoint('openai', '/v1/audio/translations')],
  },
  links: {
    site: 'https://groq.com',
    keys: 'https://console.groq.com/keys',
    docs: 'https://console.groq.com/docs/api-reference#chat',
  },
  defaultModels: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b'],
  testModel: 'openai/gpt-oss-20b',
  modelListPath: '/v1/models',
})
