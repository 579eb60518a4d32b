import { z } from 'zod'
import { dashboardBilling } from '../balance.ts'
import { bucketOptions } from '../chat-options.ts'
import { priceFields } from '../custom/price-fields.ts'
import { tasks as videoTasks } from '../custom/tasks.ts'
import {
  apiKey,
  defineEndpoint,
  defineProvider,
  defineTokenCount,
  type PathContext,
  realtimePath,
} from '../define.ts'
import { gatewayUsage } from '../gateway-usage.ts'
import type { TaskAdapter } from '../tasks.ts'
import { accountBalance, sign } from './credential.ts'
import { groupRatios } from './group-ratios.ts'
import { missingDialect } from './missing-dialect.ts'

const geminiPath = (action: string, { model }: Pick<PathContext, 'model'>) =>
  `/v1beta/models/${encodeURIComponent(model)}:${action}`

/** The address has lost its version, so that the paths keep theirs. */
const tasks: TaskAdapter = {
  ...videoTasks,
  plan: ({ channel, ...request }) =>
    videoTasks.plan({ ...request, ...(channel && { channel: { ...channel, baseUrl: '' } }) }),
}

// An upstream that is a gateway itself speaks every dialect at one address with one key:
// https://docs.newapi.pro/en/docs/api, https://github.com/Wei-Shaw/sub2api, https://github.com/MartialBE/one-hub,
// https://docs.litellm.ai/docs/simple_proxy
export default defineProvider({
  id: 'upstream-gateway',
  name: 'Gateway 中转站 (One Hub, New API, sub2api …)',
  type: 67,
  baseUrl: '',
  hasVersionedPaths: true,
  credential: apiKey(),
  keyHint: 'API key, or API key|access token|user id to read the balance of the account',
  sign,
  // Gateways that pass a Messages call on may not add it: https://platform.claude.com/docs/en/api/versioning
  headers: { 'anthropic-version': '2023-06-01' },
  priceFields,
  missingDialect,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', { usageFlag: true }),
      defineEndpoint('openai-responses', '/v1/responses'),
      defineEndpoint('anthropic', '/v1/messages'),
      defineEndpoint('gemini', context =>
        geminiPath(context.stream ? 'streamGenerateContent?alt=sse' : 'generateContent', context),
      ),
    ],
    embeddings: [
      defineEndpoint('openai-chat', '/v1/embeddings'),
      defineEndpoint('gemini', context =>
        geminiPath(context.isBatch ? 'batchEmbedContents' : 'embedContent', context),
      ),
    ],
    completions: [defineEndpoint('openai', '/v1/completions', { usageFlag: true })],
    moderations: [defineEndpoint('openai', '/v1/moderations')],
    images: [defineEndpoint('openai', '/v1/images/generations')],
    'image-edits': [defineEndpoint('openai', '/v1/images/edits')],
    'image-variations': [defineEndpoint('openai', '/v1/images/variations')],
    speech: [defineEndpoint('openai', '/v1/audio/speech')],
    transcriptions: [defineEndpoint('openai', '/v1/audio/transcriptions')],
    translations: [defineEndpoint('openai', '/v1/audio/translations')],
    rerank: [defineEndpoint('jina', '/v1/rerank')],
    realtime: [defineEndpoint('openai', realtimePath('/v1/realtime'))],
  },
  tasks,
  tokenCounting: {
    anthropic: defineTokenCount('/v1/messages/count_tokens'),
    gemini: defineTokenCount(context => geminiPath('countTokens', context)),
  },
  modelListPath: '/v1/models',
  groupRatios,
  balance: { ...accountBalance, fallback: { ...gatewayUsage, fallback: dashboardBilling } },
  options: z.object({
    ...bucketOptions,
    upstream: z
      .object({
        group: z.string().trim().max(100).default('default').meta({ label: 'Group of the key' }),
      })
      .optional(),
    videos: z
      .object({
        older: z.boolean().default(false).meta({ label: 'Videos at /v1/video/generations' }),
      })
      .optional(),
  }),
})
