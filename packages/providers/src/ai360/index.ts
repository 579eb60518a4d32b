import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { drop, rename } from '../quirks.ts'

// No document of the vendor could be read (https://ai.360.cn/platform/docs/overview shows its text
// to browsers only). This follows One Hub: its number, an address that the channel must say
// (https://api.360.cn is in use), OpenAI's shape, and no usage flag.
export default defineProvider({
  id: 'ai360',
  name: '360 智脑',
  type: 19,
  baseUrl: '',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
        quirks: [drop(['stream_options']), rename('max_completion_tokens', 'max_tokens')],
      }),
    ],
    embeddings: [speak('openai-chat', '/v1/embeddings')],
  },
  links: { site: 'https://ai.360.cn', docs: 'https://ai.360.cn/platform/docs/overview' },
  presets: ['360gpt2-pro', '360gpt-pro', '360gpt-turbo'],
  testModel: '360gpt-turbo',
})
