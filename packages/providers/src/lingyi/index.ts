import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { drop, rename } from '../quirks.ts'

// The vendor's documents (https://platform.lingyiwanwu.com/docs) are offline. This follows One Hub: its number, address
// and path, OpenAI's shape without a usage flag.
export default defineProvider({
  id: 'lingyi',
  name: 'Lingyi 零一万物',
  type: 33,
  baseUrl: 'https://api.lingyiwanwu.com',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        quirks: [drop(['stream_options']), rename('max_completion_tokens', 'max_tokens')],
      }),
    ],
  },
  links: {
    site: 'https://www.lingyiwanwu.com',
    keys: 'https://platform.lingyiwanwu.com/apikeys',
  },
  defaultModels: ['yi-lightning', 'yi-vision-v2'],
  testModel: 'yi-lightning',
})
