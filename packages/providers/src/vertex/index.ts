import { z } from 'zod'
import { anthropicRules } from '../anthropic/model-rules.ts'
import { bucketOptions, cachesPrompts, cachingOptions } from '../chat-options.ts'
import {
  defineEndpoint,
  defineProvider,
  defineTokenCount,
  defineVendorEmbeddings,
  secret,
} from '../define.ts'
import { images, isImagen } from '../gemini/images.ts'
import { geminiRules } from '../gemini/model-rules.ts'
import { speech, voiceOption } from '../gemini/speech.ts'
import { chatQuirks as mistralQuirks } from '../mistral/chat-quirks.ts'
import { mistralRules } from '../mistral/model-rules.ts'
import { add, drop, type Quirk } from '../quirks.ts'
import { signWithServiceAccount } from '../service-account.ts'
import { contentEmbeddings, multimodalEmbeddings, textEmbeddings } from './embeddings.ts'
import { countGeminiTokens, geminiPath, generateContentPath, modelSegment } from './gemini.ts'
import { priceFields } from './price-fields.ts'
import { tasks } from './tasks.ts'

/** One Hub uses Anthropic's names of Claude models. Vertex AI separates the date with `@`. */
const claudeModelId = (model: string): string =>
  model
    .replace(/^(claude-3-5-sonnet)-20241022$/, '$1-v2@20241022')
    .replace(/^(claude-.+)-(\d{8})$/, '$1@$2')

/** The counting endpoint of Claude has the model in the body only, under Vertex AI's name. */
const renameModel: Quirk = {
  reach: 'top',
  edit: view => view.set('model', claudeModelId(String(view.get('model')))),
}

// Address: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
// One Hub stores region and project in the channel's free field, `Region|ProjectID`.
export default defineProvider({
  id: 'vertex',
  telemetryName: 'gcp.vertex_ai',
  name: 'VertexAI',
  type: 42,
  baseUrl: 'https://{host}/v1/projects/{project}/locations/{region}',
  dropsAttribution: true,
  ownHosts: /^([\w-]+-)?aiplatform\.googleapis\.com$/,
  freeField: 'region_and_project',
  placeholders: ({ other }) => {
    const [region = '', project] = other.split('|')
    const hostPrefix = region === 'global' ? '' : `${region}-`
    return { region, project, host: `${hostPrefix}aiplatform.googleapis.com` }
  },
  credential: secret().meta({ secret: true, label: 'Service account (JSON)' }),
  sign: signWithServiceAccount('https://www.googleapis.com/auth/cloud-platform'),
  priceFields,
  serves: {
    chat: [
      defineEndpoint('gemini', generateContentPath, {
        onlyModels: /^gemini/,
        modelRules: geminiRules,
      }),
      // The path has the model, so the body must not. The API version is a field instead of a header:
      // https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
      // Images as base64 only: https://platform.claude.com/docs/en/build-with-claude/vision
      defineEndpoint(
        'anthropic',
        ({ model, stream }) =>
          `/publishers/anthropic/models/${modelSegment(claudeModelId(model))}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
        {
          cachesPrompts,
          onlyModels: /^claude/,
          modelRules: anthropicRules,
          mediaBytesOnly: true,
          quirks: [drop(['model']), add({ anthropic_version: 'vertex-2023-10-16' })],
        },
      ),
      // Mistral's own API, with the model in the body too: https://docs.mistral.ai/deployment/cloud/vertex/
      defineEndpoint(
        'openai-chat',
        ({ model, stream }) =>
          `/publishers/mistralai/models/${modelSegment(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
        {
          onlyModels: /^(mi(ni)?stral|codestral)-/,
          modelRules: mistralRules,
          quirks: mistralQuirks,
        },
      ),
      // Llama, DeepSeek, Qwen and other open models, as `publisher/model`:
      // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/open-models/use-maas
      defineEndpoint('openai-chat', '/endpoints/openapi/chat/completions', {
        onlyModels: /^[\w-]+\//,
        usageFlag: true,
      }),
    ],
    embeddings: [
      defineVendorEmbeddings(textEmbeddings, context => geminiPath(context, 'predict'), {
        onlyModels: /^(text-(multilingual-)?embedding|gemini-embedding-001$)/,
      }),
      defineVendorEmbeddings(contentEmbeddings, context => geminiPath(context, 'embedContent'), {
        onlyModels: /^gemini-embedding/,
      }),
      defineVendorEmbeddings(multimodalEmbeddings, context => geminiPath(context, 'predict'), {
        onlyModels: /^multimodalembedding/,
      }),
    ],
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api
    images: [
      defineEndpoint(
        'vendor',
        context =>
          isImagen(context.model) ? geminiPath(context, 'predict') : generateContentPath(context),
        { translation: images, imageForm: 'b64_json', onlyModels: /^(imagen|gemini-.*image)/ },
      ),
    ],
    // https://docs.cloud.google.com/text-to-speech/docs/gemini-tts
    speech: [
      defineEndpoint('vendor', generateContentPath, {
        translation: speech,
        onlyModels: /^gemini-.*tts/,
      }),
    ],
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/multimodal-live
    realtime: [
      defineEndpoint(
        'gemini',
        '/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent',
        {
          fromOrigin: true,
          sessionModel: ({ model, other }) => {
            const [region, project] = other.split('|')
            return `projects/${project}/locations/${region}/publishers/google/models/${model}`
          },
        },
      ),
    ],
  },
  tasks,
  tokenCounting: {
    gemini: countGeminiTokens,
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens
    anthropic: defineTokenCount('/publishers/anthropic/models/count-tokens:rawPredict', {
      onlyModels: /^claude/,
      quirks: [renameModel],
      modelRules: anthropicRules,
    }),
  },
  options: z.object({ ...bucketOptions, ...cachingOptions, voice: voiceOption }),
  links: {
    site: 'https://cloud.google.com/vertex-ai',
    keys: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
    docs: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  },
  defaultModels: [
    'gemini-3.8-flash',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-sonnet-4-5@20250929',
    'claude-haiku-4-5@20251001',
    'mistral-medium-3',
    'meta/llama-3.3-70b-instruct-maas',
    'gemini-embedding-001',
    'veo-3.1-generate-001',
    'veo-3.1-fast-generate-001',
  ],
  testModel: 'gemini-2.5-flash',
  keyHint: 'Service account (JSON)',
})
