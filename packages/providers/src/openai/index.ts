import { z } from 'zod'
import { dashboardBilling } from '../balance.ts'
import {
  apiKey,
  bearer,
  defineEndpoint,
  defineProvider,
  defineTokenCount,
  realtimePath,
} from '../define.ts'
import { imageEndpoints } from '../image-endpoints.ts'
import { conversationSwitches } from '../stored-resources.ts'
import { openaiEndpointRules } from './model-rules.ts'
import { chatModels, responsesModels } from './models.ts'
import { priceFields } from './price-fields.ts'

// Address, fields, stream_options.include_usage: https://platform.openai.com/docs/api-reference/chat/create
// Models: https://developers.openai.com/api/docs/models, without those in https://developers.openai.com/api/docs/deprecations

export default defineProvider({
  id: 'openai',
  name: 'OpenAI',
  type: 1,
  baseUrl: 'https://api.openai.com',
  credential: apiKey(),
  sign: bearer,
  priceFields,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        onlyModels: chatModels,
        modelRules: openaiEndpointRules,
        // https://platform.openai.com/docs/guides/prompt-caching
        promptCacheKey: { field: 'prompt_cache_key' },
      }),
      // https://platform.openai.com/docs/api-reference/responses
      defineEndpoint('openai-responses', '/v1/responses', {
        promptCacheKey: { field: 'prompt_cache_key' },
        requiredForTools: responsesModels,
        storedResponses: ['answers', 'input', 'background', 'compaction'],
        modelRules: openaiEndpointRules,
      }),
    ],
    // https://platform.openai.com/docs/api-reference/embeddings
    embeddings: [defineEndpoint('openai-chat', '/v1/embeddings')],
    // https://platform.openai.com/docs/api-reference/completions
    completions: [defineEndpoint('openai', '/v1/completions', { usageFlag: true })],
    // https://platform.openai.com/docs/api-reference/images/create
    images: imageEndpoints('/v1/images/generations'),
    // https://platform.openai.com/docs/api-reference/moderations
    moderations: [defineEndpoint('openai', '/v1/moderations')],
    // https://platform.openai.com/docs/api-reference/audio/createSpeech
    speech: [defineEndpoint('openai', '/v1/audio/speech')],
    // https://platform.openai.com/docs/api-reference/images/createEdit
    'image-edits': imageEndpoints('/v1/images/edits'),
    'image-variations': [
      defineEndpoint('openai', '/v1/images/variations', { onlyModels: /dall-e-2/ }),
    ],
    // https://platform.openai.com/docs/api-reference/audio/createTranscription
    transcriptions: [defineEndpoint('openai', '/v1/audio/transcriptions')],
    translations: [defineEndpoint('openai', '/v1/audio/translations')],
    // https://developers.openai.com/api/docs/guides/realtime-websocket
    realtime: [defineEndpoint('openai', realtimePath('/v1/realtime'))],
  },
  // https://developers.openai.com/api/reference/resources/files
  stores: {
    api: 'openai',
    // https://developers.openai.com/api/docs/guides/batch
    batchPriceRatio: '0.5',
    paths: {
      files: '/v1/files',
      uploads: '/v1/uploads',
      batches: '/v1/batches',
      'vector-stores': '/v1/vector_stores',
      // https://developers.openai.com/api/reference/resources/conversations
      conversations: '/v1/conversations',
    },
  },
  options: z.object(conversationSwitches),
  // https://platform.openai.com/docs/api-reference/responses/input-tokens
  tokenCounting: { 'openai-responses': defineTokenCount('/v1/responses/input_tokens') },
  links: {
    site: 'https://openai.com',
    keys: 'https://platform.openai.com/api-keys',
    docs: 'https://platform.openai.com/docs/api-reference/chat',
  },
  defaultModels: [
    'gpt-6.2-sol',
    'gpt-6.1-sol',
    'gpt-6-astra',
    'gpt-6-sol',
    'gpt-6-luna',
    'gpt-5.6-sol',
    'gpt-5.6-terra',
    'gpt-5.6-luna',
    'gpt-5.5',
    'gpt-5.4',
    'gpt-5.4-mini',
    'text-embedding-3-large',
    'text-embedding-3-small',
  ],
  testModel: 'gpt-5.4-mini',
  modelListPath: '/v1/models',
  balance: dashboardBilling,
})
