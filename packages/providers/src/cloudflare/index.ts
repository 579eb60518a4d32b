import { bearer, defineEndpoint, defineProvider, type PathContext, secret } from '../define.ts'
import { rename, roleAs } from '../quirks.ts'
import {
  imageModels,
  images,
  speech,
  speechModels,
  transcriptionModels,
  transcriptions,
} from './operations.ts'

/** Names of models contain slashes, which belong to the path. */
const runPath = ({ model }: PathContext): string => `/run/${model}`

// Addresses, Bearer: https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility
// That page promises OpenAI's protocol. The limit is `max_tokens`: https://developers.cloudflare.com/workers-ai/models
// One Hub calls /ai/run/{model}, whose answers report no usage. Its keys have the account id before the token.
export default defineProvider({
  id: 'cloudflare',
  name: 'Cloudflare AI',
  type: 35,
  baseUrl: 'https://api.cloudflare.com/client/v4/accounts/{account}/ai',
  placeholders: ({ credential }) => ({ account: credential.split('|')[0] }),
  credential: secret()
    .regex(/^[^|]+\|[^|]+$/)
    .meta({ secret: true, label: 'ACCOUNT_ID|API_TOKEN' }),
  sign: (context, credential) => bearer(context, credential.slice(credential.indexOf('|') + 1)),
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        quirks: [rename('max_completion_tokens', 'max_tokens'), roleAs('developer', 'system')],
      }),
      defineEndpoint('openai-responses', '/v1/responses', { onlyModels: /gpt-oss/ }),
    ],
    embeddings: [defineEndpoint('openai-chat', '/v1/embeddings')],
    // https://developers.cloudflare.com/workers-ai/get-started/rest-api
    images: [
      defineEndpoint('vendor', runPath, {
        translation: images,
        imageForm: 'b64_json',
        onlyModels: imageModels,
      }),
    ],
    speech: [defineEndpoint('vendor', runPath, { translation: speech, onlyModels: speechModels })],
    transcriptions: [
      defineEndpoint('vendor', runPath, {
        translation: transcriptions,
        onlyModels: transcriptionModels,
      }),
    ],
  },
  links: {
    site: 'https://developers.cloudflare.com/workers-ai',
    keys: 'https://dash.cloudflare.com/profile/api-tokens',
    docs: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility',
  },
  defaultModels: [
    '@cf/openai/gpt-oss-120b',
    '@cf/google/gemma-4-26b-a4b-it',
    '@cf/black-forest-labs/flux-1-schnell',
    '@cf/deepgram/aura-1',
    '@cf/openai/whisper',
  ],
  testModel: '@cf/google/gemma-4-26b-a4b-it',
  keyHint: 'ACCOUNT_ID|API_TOKEN',
})
