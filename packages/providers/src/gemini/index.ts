import { z } from 'zod'
import { bucketOptions } from '../chat-options.ts'
import {
  apiKey,
  apiKeyHeader,
  bearer,
  defineEndpoint,
  defineProvider,
  defineTokenCount,
} from '../define.ts'
import { addIfEnabled } from '../quirks.ts'
import type { Sign } from '../signing.ts'
import { cacheSwitches } from '../stored-resources.ts'
import { images, isImagen } from './images.ts'
import { geminiRules } from './model-rules.ts'
import { priceFields } from './price-fields.ts'
import { speech, voiceOption } from './speech.ts'
import { tasks } from './tasks.ts'

type Models = { models?: { name?: string; supportedGenerationMethods?: string[] }[] }

const supportedMethods = new Set([
  'generateContent',
  'embedContent',
  'bidiGenerateContent',
  'predict',
  'predictLongRunning',
])

/** Models that answer with text only. */
const textModels = /^(?!.*(image|tts|audio|live|embedding))/

const openaiPath = '/openai/chat/completions'

const sign: Sign = (context, key, outgoing) =>
  outgoing?.path.endsWith(openaiPath)
    ? bearer(context, key)
    : apiKeyHeader('x-goog-api-key')(context, key)

// Address, key header: https://ai.google.dev/api
// One Hub stores the API version in the channel's free field.
export default defineProvider({
  id: 'gemini',
  telemetryName: 'gcp.gemini',
  name: 'Google Gemini',
  type: 25,
  freeField: 'path_version',
  baseUrl: 'https://generativelanguage.googleapis.com',
  credential: apiKey(),
  sign,
  priceFields,
  serves: {
    chat: [
      defineEndpoint(
        'gemini',
        ({ model, stream, other }) => {
          const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
          return `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:${action}`
        },
        {
          modelRules: geminiRules,
          quirks: [addIfEnabled('code_execution', { tools: [{ codeExecution: {} }] }, textModels)],
        },
      ),
      // Address, Bearer, OpenAI's protocol: https://ai.google.dev/gemini-api/docs/openai
      defineEndpoint(
        'openai-chat',
        ({ other }) => `/${(other || 'v1beta').replace(/\/openai$/, '')}${openaiPath}`,
        { usageFlag: true, enabledBy: options => options.use_openai_api?.enable === true },
      ),
    ],
    // https://ai.google.dev/api/embeddings
    embeddings: [
      defineEndpoint('gemini', ({ model, isBatch, other }) => {
        const action = isBatch ? 'batchEmbedContents' : 'embedContent'
        return `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:${action}`
      }),
    ],
    images: [
      defineEndpoint(
        'vendor',
        ({ model, other }) => {
          const action = isImagen(model) ? 'predict' : 'generateContent'
          return `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:${action}`
        },
        { translation: images, imageForm: 'b64_json', onlyModels: /^(imagen|gemini-.*image)/ },
      ),
    ],
    speech: [
      defineEndpoint(
        'vendor',
        ({ model, other }) =>
          `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:generateContent`,
        { translation: speech, onlyModels: /^gemini-.*tts/ },
      ),
    ],
    // https://ai.google.dev/api/live
    realtime: [
      defineEndpoint(
        'gemini',
        ({ other }) =>
          `/ws/google.ai.generativelanguage.${other || 'v1beta'}.GenerativeService.BidiGenerateContent`,
        { sessionModel: ({ model }) => `models/${model}` },
      ),
    ],
  },
  tasks,
  // https://ai.google.dev/api/tokens
  tokenCounting: {
    gemini: defineTokenCount(
      ({ model, other }) => `/${other || 'v1beta'}/models/${encodeURIComponent(model)}:countTokens`,
      { modelRules: geminiRules },
    ),
  },
  // https://ai.google.dev/api/files, https://ai.google.dev/api/caching
  stores: {
    api: 'gemini',
    paths: {
      'gemini-files': ({ other }) => `/${other || 'v1beta'}/files`,
      'cached-contents': ({ other }) => `/${other || 'v1beta'}/cachedContents`,
      'gemini-uploads': ({ other }) => `/upload/${other || 'v1beta'}/files`,
    },
    // https://ai.google.dev/gemini-api/docs/batch-api
    batchPriceRatio: '0.5',
  },
  // https://ai.google.dev/gemini-api/docs/code-execution
  // Callers of OpenAI's API are translated to the native one, unless `use_openai_api` passes them on as they are.
  options: z.object({
    ...bucketOptions,
    ...cacheSwitches,
    code_execution: z
      .object({ enable: z.boolean().default(false).meta({ label: 'Execute code' }) })
      .optional(),
    use_openai_api: z
      .object({
        enable: z.boolean().default(false).meta({ label: 'Pass OpenAI requests on unchanged' }),
      })
      .optional(),
    voice: voiceOption,
  }),
  links: {
    site: 'https://ai.google.dev',
    keys: 'https://aistudio.google.com/apikey',
    docs: 'https://ai.google.dev/api/generate-content',
  },
  defaultModels: [
    'gemini-3.8-flash',
    'gemini-3.1-pro-preview',
    'gemini-3.5-flash-lite',
    'gemini-2.5-flash-lite',
    'gemini-embedding-001',
    'gemini-3.1-flash-image',
    'gemini-2.5-flash-preview-tts',
    'veo-3.1-generate-preview',
    'veo-3.1-fast-generate-preview',
  ],
  testModel: 'gemini-3.5-flash-lite',
  // https://ai.google.dev/api/models
  modelListPath: '/v1beta/models?pageSize=1000',
  readModelIds: list =>
    ((list as Models).models ?? [])
      .filter(each => each.supportedGenerationMethods?.some(method => supportedMethods.has(method)))
      .map(each => (each.name ?? '').replace(/^models\//, '')),
  // A wrong key is reported as a bad request: https://ai.google.dev/gemini-api/docs/troubleshooting
  // An object that is gone is refused like one of another account, and says nothing about the key.
  errorRules: [
    { match: /API key not valid/i, fault: 'upstream.credential', channel: 'disable' },
    {
      status: 403,
      match: /or it may not exist|not found \(or permission/,
      fault: 'upstream.caller',
    },
  ],
})
