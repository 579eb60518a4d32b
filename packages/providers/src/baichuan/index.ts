import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { drop, rename, roleAs } from '../quirks.ts'

// https://platform.baichuan-ai.com/docs/api shows its text to browsers only. This follows One Hub:
// its number, address and path, OpenAI's shape without a usage flag.
export default defineProvider({
  id: 'baichuan',
  name: 'Baichuan 百川',
  type: 26,
  baseUrl: 'https://api.baichuan-ai.com',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
        quirks: [
          drop(['stream_options']),
          rename('max_completion_tokens', 'max_tokens'),
          roleAs('developer', 'system'),
        ],
      }),
    ],
    embeddings: [
      speak('openai-chat', '/v1/embeddings', { quirks: [drop(['encoding_format', 'dimensions'])] }),
    ],
  },
  links: {
    site: 'https://www.baichuan-ai.com',
    keys: 'https://platform.baichuan-ai.com/console/apikey',
    docs: 'https://platform.baichuan-ai.com/docs/api',
  },
  presets: ['Baichuan4-Turbo', 'Baichuan4-Air', 'Baichuan4'],
  testModel: 'Baichuan4-Air',
})
