import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { bySwitch, thinkerRule } from '../effort-rules.ts'
import { rename } from '../quirks.ts'

// One Hub's address (signed with SecretId|SecretKey) and api.hunyuan.cloud.tencent.com are shut down since
// 30 September 2026: https://cloud.tencent.com/document/product/1729/131925
// The successor has OpenAI's protocol and other keys: https://cloud.tencent.com/document/product/1823/132252
// That page does not mention `stream_options`, but OpenAI's protocol includes it.
export default defineProvider({
  id: 'hunyuan',
  name: 'Tencent Hunyuan 腾讯混元',
  type: 40,
  baseUrl: 'https://tokenhub.tencentmaas.com',
  ownHosts: /^(tokenhub\.tencentmaas\.com|api\.hunyuan\.cloud\.tencent\.com)$/,
  credential: apiKey(),
  sign: bearer,
  // https://cloud.tencent.com/document/product/1729/111007
  effort: [thinkerRule(), { fields: bySwitch }],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        quirks: [rename('max_completion_tokens', 'max_tokens')],
      }),
    ],
  },
  links: {
    site: 'https://hunyuan.tencent.com',
    keys: 'https://cloud.tencent.com/document/product/1823/130058',
    docs: 'https://cloud.tencent.com/document/product/1823/132252',
  },
  defaultModels: ['hy3-preview', 'hunyuan-role-latest'],
  testModel: 'hy3-preview',
  keyHint: 'API key of TokenHub (not SecretId|SecretKey)',
  // https://cloud.tencent.com/document/product/1823/131595
  errorRules: [{ status: 402, fault: 'upstream.funds', channel: 'disable' }],
})
