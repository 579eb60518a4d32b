import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { rename, roleAs } from '../quirks.ts'

// Address of the cloud, max_tokens, stream_options.include_usage, the model list:
// https://docs.ollama.com/api/openai-compatibility
// One Hub speaks /api/chat at the same address. The page lists no other name of the limit.
export default defineProvider({
  id: 'ollama',
  name: 'Ollama',
  type: 39,
  baseUrl: 'https://ollama.com',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        quirks: [rename('max_completion_tokens', 'max_tokens'), roleAs('developer', 'system')],
      }),
    ],
    embeddings: [speak('openai-chat', '/v1/embeddings')],
  },
  links: {
    site: 'https://ollama.com',
    keys: 'https://ollama.com/settings/keys',
    docs: 'https://docs.ollama.com/api/openai-compatibility',
  },
  presets: ['gpt-oss:20b', 'gpt-oss:120b', 'gemma4:31b'],
  testModel: 'gpt-oss:20b',
  keyHint: 'API key, or any text for a server of your own',
  models: '/v1/models',
})
