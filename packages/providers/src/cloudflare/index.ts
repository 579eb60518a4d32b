import { bearer, defineProvider, secret, speak } from '../define.ts'
import { rename, roleAs } from '../quirks.ts'

// Addresses, Bearer: https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility
// That page promises OpenAI's protocol; the limit is max_tokens at https://developers.cloudflare.com/workers-ai/models
// One Hub calls /ai/run/{model}, whose answers tell no usage. Its keys name the account before the token.
export default defineProvider({
  id: 'cloudflare',
  name: 'Cloudflare AI',
  type: 35,
  baseUrl: 'https://api.cloudflare.com/client/v4/accounts/{account}/ai',
  blanks: ({ credential }) => ({ account: credential.split('|')[0] }),
  credential: secret()
    .regex(/^[^|]+\|[^|]+$/)
    .meta({ secret: true, label: 'ACCOUNT_ID|API_TOKEN' }),
  sign: (kit, credential) => bearer(kit, credential.slice(credential.indexOf('|') + 1)),
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        quirks: [rename('max_completion_tokens', 'max_tokens'), roleAs('developer', 'system')],
      }),
      speak('openai-responses', '/v1/responses', { only: /gpt-oss/ }),
    ],
    embeddings: [speak('openai-chat', '/v1/embeddings')],
  },
  links: {
    site: 'https://developers.cloudflare.com/workers-ai',
    keys: 'https://dash.cloudflare.com/profile/api-tokens',
    docs: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility',
  },
  presets: ['@cf/openai/gpt-oss-120b', '@cf/google/gemma-4-26b-a4b-it'],
  testModel: '@cf/google/gemma-4-26b-a4b-it',
  keyHint: 'ACCOUNT_ID|API_TOKEN',
})
