import { z } from 'zod'
import { cachesPrompts, cachingOptions } from '../chat-options.ts'
import {
  apiKey,
  apiKeyHeader,
  defineEndpoint,
  defineProvider,
  defineTokenCount,
} from '../define.ts'
import { fileSwitches } from '../stored-resources.ts'
import { anthropicRules } from './model-rules.ts'
import { priceFields } from './price-fields.ts'

// Address, version header, models: https://platform.claude.com/docs/en/api/overview
export default defineProvider({
  id: 'anthropic',
  name: 'Anthropic Claude',
  type: 14,
  baseUrl: 'https://api.anthropic.com',
  credential: apiKey(),
  sign: apiKeyHeader('x-api-key'),
  // https://platform.claude.com/docs/en/api/versioning
  headers: { 'anthropic-version': '2023-06-01' },
  priceFields,
  serves: {
    chat: [
      defineEndpoint('anthropic', '/v1/messages', {
        modelRules: anthropicRules,
        cachesPrompts,
      }),
    ],
  },
  // https://platform.claude.com/docs/en/api/messages/count_tokens
  tokenCounting: {
    anthropic: defineTokenCount('/v1/messages/count_tokens', { modelRules: anthropicRules }),
  },
  // https://platform.claude.com/docs/en/build-with-claude/batch-processing
  stores: {
    api: 'anthropic',
    paths: { 'message-batches': '/v1/messages/batches' },
    batchPriceRatio: '0.5',
  },
  options: z.object({
    ...fileSwitches,
    ...cachingOptions,
  }),
  links: {
    site: 'https://claude.com',
    keys: 'https://platform.claude.com/settings/keys',
    docs: 'https://platform.claude.com/docs/en/api/messages',
  },
  defaultModels: [
    'claude-fable-5-2',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-haiku-4-5',
  ],
  testModel: 'claude-haiku-4-5',
  modelListPath: '/v1/models?limit=1000',
  // An account without credit gets status 400: https://github.com/anthropics/claude-code/issues/35188
})
