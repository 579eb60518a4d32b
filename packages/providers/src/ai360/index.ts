import { dashboardBilling } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { drop, rename } from '../quirks.ts'

// The vendor's documents at https://ai.360.cn/platform/docs/overview render in browsers only and could not be read. This
// follows One Hub: its number, OpenAI's shape, no usage flag. The channel gives the address; https://api.360.cn is in use.
export default defineProvider({
  id: 'ai360',
  name: '360 智脑',
  type: 19,
  baseUrl: '',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        quirks: [drop(['stream_options']), rename('max_completion_tokens', 'max_tokens')],
      }),
    ],
    embeddings: [defineEndpoint('openai-chat', '/v1/embeddings')],
  },
  links: { site: 'https://ai.360.cn', docs: 'https://ai.360.cn/platform/docs/overview' },
  defaultModels: ['360gpt2-pro', '360gpt-pro', '360gpt-turbo'],
  testModel: '360gpt-turbo',
  // As in One Hub, whose provider of OpenAI serves this type.
  modelListPath: '/v1/models',
  balance: dashboardBilling,
})
