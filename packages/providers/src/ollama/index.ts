import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { alwaysByName, byName, commonNames, thinkerRule, threeNames } from '../effort-rules.ts'
import { rename, roleAs } from '../quirks.ts'

// Cloud address, max_tokens, stream_options.include_usage, the model list:
// https://docs.ollama.com/api/openai-compatibility
// Images as base64 only: https://github.com/ollama/ollama/issues/6753, https://github.com/ollama/ollama/pull/4640
// One Hub calls /api/chat at the same address. The page lists `max_tokens` as the only limit.
export default defineProvider({
  id: 'ollama',
  name: 'Ollama',
  type: 39,
  baseUrl: 'https://ollama.com',
  // https://docs.ollama.com/api/anthropic-compatibility
  ownHosts: /^ollama\.com$/,
  credential: apiKey(),
  sign: bearer,
  // https://docs.ollama.com/api/openai-compatibility
  effort: [
    thinkerRule(),
    { onlyModels: /gpt-oss/, fields: alwaysByName(threeNames) },
    { fields: byName({ ...commonNames, ...threeNames }) },
  ],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        mediaBytesOnly: true,
        quirks: [rename('max_completion_tokens', 'max_tokens'), roleAs('developer', 'system')],
      }),
    ],
    embeddings: [defineEndpoint('openai-chat', '/v1/embeddings')],
  },
  links: {
    site: 'https://ollama.com',
    keys: 'https://ollama.com/settings/keys',
    docs: 'https://docs.ollama.com/api/openai-compatibility',
  },
  defaultModels: ['gpt-oss:20b', 'gpt-oss:120b', 'gemma4:31b'],
  testModel: 'gpt-oss:20b',
  keyHint: 'API key, or any text for a server of your own',
  headerSection: 'headers',
  modelListPath: '/v1/models',
})
