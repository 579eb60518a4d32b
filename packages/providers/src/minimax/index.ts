import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { byType, thinkerRule } from '../effort-rules.ts'
import { roleAs } from '../quirks.ts'
import { options, speech } from './speech.ts'
import { tasks } from './tasks.ts'

// Path, key, roles, max_completion_tokens, stream_options.include_usage:
// https://platform.minimaxi.com/docs/api-reference/text-chat-openai
// The address is One Hub's. That page names https://api.minimax.cn, and for keys from outside China
// https://platform.minimax.io/docs/api-reference/text-openai-api names https://api.minimax.io; a key works in its region only.
export default defineProvider({
  id: 'minimax',
  name: 'MiniMax',
  type: 27,
  baseUrl: 'https://api.minimax.chat',
  // A plan has keys of its own at the same addresses: https://platform.minimax.io/docs/token-plan/quickstart,
  // https://platform.minimaxi.com/docs/token-plan/intro
  addressPresets: [
    { name: 'Token Plan', baseUrl: 'https://api.minimaxi.com' },
    { name: 'Token Plan international', baseUrl: 'https://api.minimax.io' },
  ],
  // https://platform.minimax.io/docs/api-reference/text-anthropic-api
  ownHosts: /^api\.(minimax\.(chat|io)|minimaxi\.com)$/,
  credential: apiKey(),
  sign: bearer,
  // https://platform.minimax.io/docs/api-reference/text-openai-api
  effort: [thinkerRule(), { fields: byType('adaptive') }],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        quirks: [roleAs('developer', 'system')],
      }),
      // https://platform.minimaxi.com/docs/api-reference/text-anthropic-api
      defineEndpoint('anthropic', '/anthropic/v1/messages'),
    ],
    speech: [defineEndpoint('vendor', '/v1/t2a_v2', { translation: speech })],
  },
  tasks,
  options,
  links: {
    site: 'https://www.minimaxi.com',
    keys: 'https://platform.minimaxi.com/user-center/basic-information/interface-key',
    docs: 'https://platform.minimaxi.com/docs/api-reference/text-chat-openai',
  },
  defaultModels: [
    'MiniMax-M3.1-Flash',
    'MiniMax-M3',
    'MiniMax-M2.7',
    'MiniMax-M2.7-highspeed',
    'MiniMax-M2.5',
    'speech-2.8-hd',
    'speech-2.8-turbo',
    'MiniMax-Hailuo-2.3',
    'MiniMax-Hailuo-02',
  ],
  testModel: 'MiniMax-M2.7',
  // https://platform.minimax.io/docs/api-reference/models/openai/list-models
  modelListPath: '/v1/models',
  errorRules: [
    // Errors have status 200 and a code: https://platform.minimaxi.com/docs/api-reference/errorcode
    { match: /\b1002$/, fault: 'upstream.busy' },
    { match: /\b1008$/, fault: 'upstream.funds', channel: 'disable' },
    { match: /\b(1004|2049)$/, fault: 'upstream.credential', channel: 'disable' },
  ],
})
