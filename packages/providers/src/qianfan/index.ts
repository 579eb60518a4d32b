import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { byBudget, thinkerRule } from '../effort-rules.ts'
import { drop, type Quirk, rename, roleAs } from '../quirks.ts'

/** Names of One Hub that V2 does not know in lower case. */
const successors: Readonly<Record<string, string>> = {
  'ernie-bot': 'ernie-3.5-8k',
  'ernie-bot-4': 'ernie-4.0-8k',
  'ernie-bot-turbo': 'ernie-lite-8k',
  'ernie-speed': 'ernie-speed-8k',
}

/** V2 has the names of its models in lower case. */
const nameModel: Quirk = {
  reach: 'top',
  onlyModels: /^(ERNIE|Embedding)-/i,
  edit: view => {
    const name = String(view.get('model')).toLowerCase()
    view.set('model', successors[name] ?? name)
  },
}

// Address, key, "fully compatible with OpenAI's standard": https://cloud.baidu.com/doc/qianfan/s/qmh4sv5vi
// V1 at aip.baidubce.com needs a token that is fetched with APIKey|SecretKey. It "may be shut down", gets no new models,
// and the vendor asks to move to V2: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/4lqoklvr1
export default defineProvider({
  id: 'qianfan',
  name: 'Baidu Qianfan 百度文心千帆',
  type: 15,
  baseUrl: 'https://qianfan.baidubce.com',
  // https://cloud.baidu.com/doc/qianfan/index.html
  ownHosts: /^qianfan\.baidubce\.com$/,
  // V2 does not accept the key pair of V1.
  credential: apiKey().regex(/^[^|]+$/),
  sign: bearer,
  // https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb
  effort: [thinkerRule(), { fields: byBudget }],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v2/chat/completions', {
        usageFlag: true,
        quirks: [
          nameModel,
          rename('max_completion_tokens', 'max_tokens'),
          roleAs('developer', 'system'),
        ],
      }),
    ],
    embeddings: [
      defineEndpoint('openai-chat', '/v2/embeddings', {
        quirks: [nameModel, drop(['encoding_format'])],
      }),
    ],
  },
  links: {
    site: 'https://cloud.baidu.com/product-s/qianfan_home',
    keys: 'https://console.bce.baidu.com/iam/#/iam/apikey/list',
    docs: 'https://cloud.baidu.com/doc/qianfan/s/qmh4sv5vi',
  },
  // https://apidog.com/jp/blog/ernie-5-5-flash-api/ checked the vendor's list on 12 November 2026.
  defaultModels: ['ernie-5.1', 'ernie-5.5-flash-preview'],
  testModel: 'ernie-5.1',
  keyHint: 'API key of Qianfan V2 (not APIKey|SecretKey)',
  modelListPath: '/v2/models',
})
