import { claudeToolRules, geminiToolRules } from '@hub/dialects'
import { defineEndpoint, defineProvider, defineTokenCount, secret } from '../define.ts'
import { add, drop, type Quirk } from '../quirks.ts'
import { signWithServiceAccount } from '../service-account.ts'

/** One Hub uses Anthropic's names of Claude models. Vertex AI separates the date with `@`. */
const claudeModelId = (model: string): string =>
  model
    .replace(/^(claude-3-5-sonnet)-20241022$/, '$1-v2@20241022')
    .replace(/^(claude-.+)-(\d{8})$/, '$1@$2')

/** The model as a path segment. The `@` before a date needs no encoding. */
const modelSegment = (model: string) => encodeURIComponent(model).replace('%40', '@')

/** The counting endpoint of Claude has the model in the body only, under Vertex AI's name. */
const renameModel: Quirk = {
  reach: 'top',
  edit: view => view.set('model', claudeModelId(String(view.get('model')))),
}

/** Google's Gemini API also accepts a `generateContentRequest` for counting. Vertex AI expects its fields at the top. */
const unwrapRequest: Quirk = {
  reach: 'deep',
  appliesTo: body => body.includes('"generateContentRequest"'),
  apply: body => {
    const { generateContentRequest: request, ...otherFields } = body
    delete body.generateContentRequest
    if (typeof request !== 'object' || request === null) return
    const { model: _, ...requestFields } = request as Record<string, unknown>
    Object.assign(body, { ...requestFields, ...otherFields })
  },
}

// Address: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
// One Hub stores region and project in the channel's free field, `Region|ProjectID`.
export default defineProvider({
  id: 'vertex',
  name: 'VertexAI',
  type: 42,
  baseUrl: 'https://{host}/v1/projects/{project}/locations/{region}',
  placeholders: ({ other }) => {
    const [region = '', project] = other.split('|')
    const hostPrefix = region === 'global' ? '' : `${region}-`
    return { region, project, host: `${hostPrefix}aiplatform.googleapis.com` }
  },
  credential: secret().meta({ secret: true, label: 'Service account (JSON)' }),
  sign: signWithServiceAccount('https://www.googleapis.com/auth/cloud-platform'),
  serves: {
    chat: [
      defineEndpoint(
        'gemini',
        ({ model, stream }) => {
          const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
          return `/publishers/google/models/${modelSegment(model)}:${action}`
        },
        { onlyModels: /^gemini/, toolRules: geminiToolRules },
      ),
      // The path has the model, so the body must not. The API version is a field instead of a header:
      // https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
      defineEndpoint(
        'anthropic',
        ({ model, stream }) =>
          `/publishers/anthropic/models/${modelSegment(claudeModelId(model))}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
        {
          onlyModels: /^claude/,
          toolRules: claudeToolRules,
          quirks: [drop(['model']), add({ anthropic_version: 'vertex-2023-10-16' })],
        },
      ),
    ],
  },
  tokenCounting: {
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens
    gemini: defineTokenCount(
      ({ model }) => `/publishers/google/models/${modelSegment(model)}:countTokens`,
      {
        onlyModels: /^gemini/,
        quirks: [unwrapRequest],
      },
    ),
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens
    anthropic: defineTokenCount('/publishers/anthropic/models/count-tokens:rawPredict', {
      onlyModels: /^claude/,
      quirks: [renameModel],
    }),
  },
  links: {
    site: 'https://cloud.google.com/vertex-ai',
    keys: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
    docs: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  },
  defaultModels: [
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'claude-sonnet-4-5@20250929',
    'claude-haiku-4-5@20251001',
  ],
  testModel: 'gemini-2.5-flash',
  keyHint: 'Service account (JSON)',
})
