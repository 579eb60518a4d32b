import { balanceField } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { alwaysByName, byType, thinkerRule } from '../effort-rules.ts'
import { roleAs } from '../quirks.ts'
import { moonshotRules } from './model-rules.ts'

/** Kimi Code has both dialects below one address: https://www.kimi.com/code/docs */
const isCodingPlan = (baseUrl: string): boolean => /\/coding\/*$/.test(baseUrl)

// Images as base64 or by the id of an upload: https://platform.moonshot.ai/docs/guide/use-kimi-vision-model
// Address, roles, max_completion_tokens, stream_options.include_usage, models:
// https://platform.moonshot.cn/docs/api/chat
export default defineProvider({
  id: 'moonshot',
  name: 'Moonshot',
  type: 29,
  baseUrl: 'https://api.moonshot.cn',
  addressPresets: [
    // https://platform.kimi.ai/docs/api/overview
    { name: 'Kimi international', baseUrl: 'https://api.moonshot.ai' },
    // https://www.kimi.com/code/docs
    { name: 'Kimi Code', baseUrl: 'https://api.kimi.com/coding' },
  ],
  // https://platform.moonshot.ai/docs/guide/agent-support, https://www.kimi.com/code/docs
  ownHosts: /^api\.(moonshot\.(cn|ai)|kimi\.com)$/,
  credential: apiKey(),
  sign: bearer,
  // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
  effort: [
    thinkerRule(),
    {
      onlyModels: /kimi-k([3-9]|\d\d)/,
      fields: alwaysByName({ on: 'high' }),
    },
    { fields: byType() },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        modelRules: moonshotRules,
        usageFlag: true,
        mediaBytesOnly: true,
        quirks: [roleAs('developer', 'system')],
      }),
      // https://platform.kimi.ai/docs/api/overview, for keys from outside China, at the same path
      defineEndpoint('anthropic', ({ baseUrl = '' }) =>
        isCodingPlan(baseUrl) ? '/v1/messages' : '/anthropic/v1/messages',
      ),
    ],
  },
  links: {
    site: 'https://www.moonshot.cn',
    keys: 'https://platform.moonshot.cn/console/api-keys',
    docs: 'https://platform.moonshot.cn/docs/api/chat',
  },
  defaultModels: [
    'kimi-k3.1-pro',
    'kimi-k3',
    'kimi-k2.7-code',
    'kimi-k2.7-code-highspeed',
    'kimi-k2.6',
  ],
  testModel: 'kimi-k2.6',
  modelListPath: '/v1/models',
  // CNY, but USD at api.moonshot.ai: https://platform.moonshot.cn/docs/api/balance
  balance: balanceField(
    '/v1/users/me/balance',
    baseUrl => (/\.ai(\/|$)/.test(baseUrl) ? 'USD' : 'CNY'),
    'data',
    'available_balance',
  ),
})
