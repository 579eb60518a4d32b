import { balanceByCurrency } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { byType, isLevel, thinkerRule } from '../effort-rules.ts'
import { rename, roleAs } from '../quirks.ts'
import { deepseekRules } from './model-rules.ts'

// Address and models: https://api-docs.deepseek.com
// Roles, max_tokens, stream_options.include_usage: https://api-docs.deepseek.com/api/create-chat-completion
// Statuses: https://api-docs.deepseek.com/quick_start/error_codes
export default defineProvider({
  id: 'deepseek',
  name: 'DeepSeek',
  type: 28,
  baseUrl: 'https://api.deepseek.com',
  // https://api-docs.deepseek.com/guides/anthropic_api
  ownHosts: /^api\.deepseek\.com$/,
  credential: apiKey(),
  sign: bearer,
  // https://api-docs.deepseek.com/guides/thinking_mode
  effort: [
    thinkerRule(),
    {
      fields: (level, model) => ({
        ...(byType()(level, model) as object),
        ...(isLevel(level) ? { reasoning_effort: level === 'xhigh' ? 'max' : 'high' } : {}),
      }),
      messageEffort: { minimal: 'high', low: 'high', medium: 'high', xhigh: 'max' },
    },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/chat/completions', {
        usageFlag: true,
        modelRules: deepseekRules,
        quirks: [rename('max_completion_tokens', 'max_tokens'), roleAs('developer', 'system')],
      }),
      // https://api-docs.deepseek.com/guides/anthropic_api
      defineEndpoint('anthropic', '/anthropic/v1/messages'),
    ],
  },
  links: {
    site: 'https://www.deepseek.com',
    keys: 'https://platform.deepseek.com/api_keys',
    docs: 'https://api-docs.deepseek.com/api/create-chat-completion',
  },
  defaultModels: ['deepseek-flash', 'deepseek-v4-pro'],
  testModel: 'deepseek-flash',
  modelListPath: '/models',
  // https://api-docs.deepseek.com/api/get-user-balance
  balance: balanceByCurrency('/user/balance', 'balance_infos', 'total_balance'),
  errorRules: [{ status: 402, fault: 'upstream.funds', channel: 'disable' }],
})
