import { countAt, defineProvider, secret, speak } from '../define.ts'
import { add, drop, type Quirk } from '../quirks.ts'
import { serviceAccount } from '../service-account.ts'

/** One Hub's names of Claude are Anthropic's; the vendor's have their date behind a sign of its own. */
const claudeOf = (model: string): string =>
  model
    .replace(/^(claude-3-5-sonnet)-20241022$/, '$1-v2@20241022')
    .replace(/^(claude-.+)-(\d{8})$/, '$1@$2')

/** The name as a part of a path, in which the sign before a date may stand as it is. */
const named = (model: string) => encodeURIComponent(model).replace('%40', '@')

/** Here the model stands in the body alone, under the vendor's own name. */
const renameModel: Quirk = {
  reach: 'top',
  edit: view => view.set('model', claudeOf(String(view.get('model')))),
}

/** The other Gemini API counts whole requests too; here what is in one stands at the top. */
const unwrapRequest: Quirk = {
  reach: 'deep',
  concerns: body => body.includes('"generateContentRequest"'),
  change: body => {
    const { generateContentRequest: request, ...rest } = body
    delete body.generateContentRequest
    if (typeof request !== 'object' || request === null) return
    const { model: _, ...asked } = request as Record<string, unknown>
    Object.assign(body, { ...asked, ...rest })
  },
}

// Address: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
// One Hub keeps the region and the project in the channel's free field, `Region|ProjectID`.
export default defineProvider({
  id: 'vertex',
  name: 'VertexAI',
  type: 42,
  baseUrl: 'https://{host}/v1/projects/{project}/locations/{region}',
  blanks: ({ other }) => {
    const [region = '', project] = other.split('|')
    const place = region === 'global' ? '' : `${region}-`
    return { region, project, host: `${place}aiplatform.googleapis.com` }
  },
  credential: secret().meta({ secret: true, label: 'Service account (JSON)' }),
  sign: serviceAccount('https://www.googleapis.com/auth/cloud-platform'),
  serves: {
    chat: [
      speak(
        'gemini',
        ({ model, stream }) => {
          const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
          return `/publishers/google/models/${named(model)}:${action}`
        },
        { only: /^gemini/ },
      ),
      // The model is named in the path, so the body may not name it, and the version is a field instead of a header:
      // https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
      speak(
        'anthropic',
        ({ model, stream }) =>
          `/publishers/anthropic/models/${named(claudeOf(model))}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
        {
          only: /^claude/,
          quirks: [drop(['model']), add({ anthropic_version: 'vertex-2023-10-16' })],
        },
      ),
    ],
  },
  counts: {
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens
    gemini: countAt(({ model }) => `/publishers/google/models/${named(model)}:countTokens`, {
      only: /^gemini/,
      quirks: [unwrapRequest],
    }),
    // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens
    anthropic: countAt('/publishers/anthropic/models/count-tokens:rawPredict', {
      only: /^claude/,
      quirks: [renameModel],
    }),
  },
  links: {
    site: 'https://cloud.google.com/vertex-ai',
    keys: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
    docs: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  },
  presets: [
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'claude-sonnet-4-5@20250929',
    'claude-haiku-4-5@20251001',
  ],
  testModel: 'gemini-2.5-flash',
  keyHint: 'Service account (JSON)',
})
