import { geminiToolRules } from '@hub/dialects'
import { z } from 'zod'
import {
  apiKey,
  apiKeyHeader,
  defineEndpoint,
  defineProvider,
  defineTokenCount,
} from '../define.ts'
import { addIfEnabled } from '../quirks.ts'

type Models = { models?: { name?: string; supportedGenerationMethods?: string[] }[] }

const supportedMethods = new Set(['generateContent', 'embedContent'])

/** Models that answer with text only. */
const textModels = /^(?!.*(image|tts|audio|live|embedding))/

// Address, key header: https://ai.google.dev/api
// One Hub stores the API version in the channel's free field.
export default defineProvider({
  id: 'gemini',
  name: 'Google Gemini',
  type: 25,
  baseUrl: 'https://generativelanguage.googleapis.com',
  credential: apiKey(),
  sign: apiKeyHeader('x-goog-api-key'),
  serves: {
    chat: [
      defineEndpoint(
        'gemini',
        ({ model, stream, other }) => {
          const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
          return `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:${action}`
        },
        {
          toolRules: geminiToolRules,
          quirks: [addIfEnabled('code_execution', { tools: [{ codeExecution: {} }] }, textModels)],
        },
      ),
    ],
    // https://ai.google.dev/api/embeddings
    embeddings: [
      defineEndpoint('gemini', ({ model, isBatch, other }) => {
        const action = isBatch ? 'batchEmbedContents' : 'embedContent'
        return `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:${action}`
      }),
    ],
  },
  // https://ai.google.dev/api/tokens
  tokenCounting: {
    gemini: defineTokenCount(
      ({ model, other }) => `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:countTokens`,
    ),
  },
  // https://ai.google.dev/gemini-api/docs/code-execution
  // One Hub's `use_openai_api` is absent: callers of OpenAI's API are translated to the native one.
  options: z.object({
    code_execution: z
      .object({ enable: z.boolean().default(false).meta({ label: 'Execute code' }) })
      .optional(),
  }),
  links: {
    site: 'https://ai.google.dev',
    keys: 'https://aistudio.google.com/apikey',
    docs: 'https://ai.google.dev/api/generate-content',
  },
  defaultModels: [
    'gemini-3-pro',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-embedding-001',
  ],
  testModel: 'gemini-2.5-flash',
  // https://ai.google.dev/api/models
  modelListPath: '/v1beta/models?pageSize=1000',
  readModelIds: list =>
    ((list as Models).models ?? [])
      .filter(each => each.supportedGenerationMethods?.some(method => supportedMethods.has(method)))
      .map(each => (each.name ?? '').replace(/^models\//, '')),
  // A wrong key is reported as a bad request: https://ai.google.dev/gemini-api/docs/troubleshooting
  errorRules: [{ match: /API key not valid/i, fault: 'upstream.credential', channel: 'disable' }],
})
