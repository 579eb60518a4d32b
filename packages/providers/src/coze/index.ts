import { apiKey, bearer, defineProvider, defineVendorEndpoint } from '../define.ts'
import { cozeChat } from './dialect.ts'

// Address, key: https://docs.coze.cn/developer_guides/coze_api_overview
// One Hub calls v2 below /open_api, which reports no usage.
export default defineProvider({
  id: 'coze',
  name: 'Coze 扣子',
  type: 38,
  baseUrl: 'https://api.coze.com',
  addressPresets: [
    { name: 'coze.com', baseUrl: 'https://api.coze.com' },
    // Keys and bots of one address do not exist at the other: https://github.com/coze-dev/coze-py/issues/78
    { name: 'coze.cn 扣子', baseUrl: 'https://api.coze.cn' },
  ],
  credential: apiKey().meta({ label: 'Personal access token' }),
  sign: bearer,
  serves: {
    chat: [
      defineVendorEndpoint(cozeChat, ({ baseUrl = '' }) =>
        // An address of a One Hub channel.
        /\/open_api\/*$/.test(baseUrl) ? '/../v3/chat' : '/v3/chat',
      ),
    ],
  },
  links: {
    site: 'https://www.coze.com',
    keys: 'https://www.coze.com/open/oauth/pats',
    docs: 'https://docs.coze.cn/developer_guides/chat_v3',
  },
  // A bot has the number in the address of its page.
  defaultModels: ['coze-*'],
  testModel: '',
  keyHint: 'Personal access token',
  // https://github.com/coze-dev/coze-js/issues/314 and https://github.com/coze-dev/coze-go/issues/56
  errorRules: [{ match: /\b410[01]$/, fault: 'upstream.credential', channel: 'disable' }],
})
