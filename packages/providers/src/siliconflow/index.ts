import { balanceField } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { byBudget, thinkerRule } from '../effort-rules.ts'
import { drop, rename } from '../quirks.ts'
import { images, rerank, speech } from './operations.ts'

// Address, key, OpenAI's shape: https://docs.siliconflow.cn/docs/userguide/quickstart
// Fields, among them max_tokens and no stream_options:
// https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions
export default defineProvider({
  id: 'siliconflow',
  name: 'SiliconFlow',
  type: 45,
  baseUrl: 'https://api.siliconflow.cn',
  // https://docs.siliconflow.cn/cn/usercases/use-siliconcloud-in-ClaudeCode
  ownHosts: /^api\.siliconflow\.(cn|com)$/,
  credential: apiKey(),
  sign: bearer,
  // https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions
  effort: [thinkerRule(), { fields: byBudget }],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        quirks: [drop(['stream_options']), rename('max_completion_tokens', 'max_tokens')],
      }),
      // https://docs.siliconflow.cn/cn/api-reference/chat-completions/messages
      defineEndpoint('anthropic', '/v1/messages'),
    ],
    // https://docs.siliconflow.cn/cn/api-reference/embeddings/create-embeddings
    embeddings: [defineEndpoint('openai-chat', '/v1/embeddings')],
    rerank: [defineEndpoint('vendor', '/v1/rerank', { translation: rerank })],
    images: [
      defineEndpoint('vendor', '/v1/images/generations', { translation: images, imageForm: 'url' }),
    ],
    speech: [defineEndpoint('vendor', '/v1/audio/speech', { translation: speech })],
    // https://docs.siliconflow.cn/cn/api-reference/audio/create-audio-transcriptions
    transcriptions: [defineEndpoint('openai', '/v1/audio/transcriptions')],
  },
  links: {
    site: 'https://siliconflow.cn',
    keys: 'https://cloud.siliconflow.cn/account/ak',
    docs: 'https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions',
  },
  defaultModels: ['Qwen/Qwen3-8B', 'Pro/zai-org/GLM-5.1'],
  testModel: 'Qwen/Qwen3-8B',
  modelListPath: '/v1/models',
  // The vendor's page could not be read. Path and field are those of One Hub.
  balance: balanceField(
    '/v1/user/info',
    baseUrl => (/\.com(\/|$)/.test(baseUrl) ? 'USD' : 'CNY'),
    'data',
    'totalBalance',
  ),
})
