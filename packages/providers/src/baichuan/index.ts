import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { drop, rename, roleAs } from '../quirks.ts'

// The documents at https://platform.baichuan-ai.com/docs/api render in browsers only. This follows One Hub: its number,
// address and path, OpenAI's shape without a usage flag.
export default defineProvider({
  id: 'baichuan',
  name: 'Baichuan 百川',
  type: 26,
  baseUrl: 'https://api.baichuan-ai.com',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        quirks: [
          drop(['stream_options']),
          rename('max_completion_tokens', 'max_tokens'),
          roleAs('developer', 'system'),
        ],
      }),
    ],
    embeddings: [
      defineEndpoint('openai-chat', '/v1/embeddings', {
        quirks: [drop(['encoding_format', 'dimensions'])],
      }),
    ],
  },
  links: {
    site: 'https://www.baichuan-ai.com',
    keys: 'https://platform.baichuan-ai.com/console/apikey',
    docs: 'https://platform.baichuan-ai.com/docs/api',
  },
  defaultModels: ['Baichuan4-Turbo', 'Baichuan4-Air', 'Baichuan4'],
  testModel: 'Baichuan4-Air',
})
