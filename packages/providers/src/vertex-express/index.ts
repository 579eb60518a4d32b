import { z } from 'zod'
import { bucketOptions } from '../chat-options.ts'
import { apiKey, apiKeyHeader, defineEndpoint, defineProvider } from '../define.ts'
import { geminiRules } from '../gemini/model-rules.ts'
import { countGeminiTokens, geminiPath, generateContentPath } from '../vertex/gemini.ts'
import { priceFields } from '../vertex/price-fields.ts'

// Addresses without project and region, an API key only:
// https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/vertex-ai-express-mode-api-reference
// Google's services take the key in this header too: https://cloud.google.com/docs/authentication/api-keys-use
export default defineProvider({
  id: 'vertex-express',
  telemetryName: 'gcp.vertex_ai',
  name: 'VertexAI Express',
  type: 61,
  baseUrl: 'https://aiplatform.googleapis.com',
  credential: apiKey(),
  sign: apiKeyHeader('x-goog-api-key'),
  priceFields,
  serves: {
    chat: [
      defineEndpoint('gemini', context => `/v1${generateContentPath(context)}`, {
        onlyModels: /^gemini/,
        modelRules: geminiRules,
      }),
    ],
  },
  tokenCounting: {
    gemini: {
      ...countGeminiTokens,
      path: context => `/v1${geminiPath(context, 'countTokens')}`,
    },
  },
  options: z.object(bucketOptions),
  links: {
    site: 'https://cloud.google.com/vertex-ai',
    keys: 'https://console.cloud.google.com/expressmode',
    docs: 'https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/overview',
  },
  defaultModels: ['gemini-3.8-flash', 'gemini-2.5-pro', 'gemini-2.5-flash'],
  testModel: 'gemini-2.5-flash',
  keyHint: 'API key of the express mode',
  // A wrong key is reported as a bad request, as by the Gemini API.
  errorRules: [{ match: /API key not valid/i, fault: 'upstream.credential', channel: 'disable' }],
})
