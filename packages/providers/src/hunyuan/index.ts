import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { rename } from '../quirks.ts'

// One Hub's address (signed with SecretId|SecretKey) and api.hunyuan.cloud.tencent.com are dead, their end announced for
// 30 September 2026: https://cloud.tencent.com/document/product/1729/131925
// Their successor, OpenAI's protocol with a key of its own: https://cloud.tencent.com/document/product/1823/132252
// That page does not speak of stream_options; OpenAI's protocol does.
export default defineProvider({
  id: 'hunyuan',
  name: 'Tencent Hunyuan 腾讯混元',
  type: 40,
  baseUrl: 'https://tokenhub.tencentmaas.com',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
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
  presets: ['hy3-preview', 'hunyuan-role-latest'],
  testModel: 'hy3-preview',
  keyHint: 'API key of TokenHub (not SecretId|SecretKey)',
  // https://cloud.tencent.com/document/product/1823/131595
  means: [{ status: 402, fault: 'upstream.credential', channel: 'disable' }],
})
