import { creditBalance } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider, type ProviderRoute } from '../define.ts'
import type { Quirk } from '../quirks.ts'

/** Tools that have one price for a request and take a file. */
const tools: Readonly<Record<string, string>> = {
  recraft_vectorize: '/v1/images/vectorize',
  recraft_removeBackground: '/v1/images/removeBackground',
  recraft_crispUpscale: '/v1/images/crispUpscale',
  recraft_creativeUpscale: '/v1/images/creativeUpscale',
  // Names from before 2025, which One Hub has.
  recraft_clarityUpscale: '/v1/images/clarityUpscale',
  recraft_generativeUpscale: '/v1/images/generativeUpscale',
  recraft_eraseRegion: '/v1/images/eraseRegion',
  recraft_styles: '/v1/styles',
}

/** One Hub's addresses: those of the vendor behind a prefix. */
const prefix = '/recraftAI'

const routes: readonly ProviderRoute[] = [
  { path: `${prefix}/v1/images/generations`, operation: 'images', model: 'recraftv4_1' },
  ...Object.entries(tools).map(([model, path]) => ({
    path: `${prefix}${path}`,
    operation: 'image-tools' as const,
    model,
  })),
]

/** The address names the tool; the name of our model is none of the vendor's. */
const withoutModel: Quirk = { reach: 'top', edit: view => view.set('model', undefined) }

// Address, key, fields: https://www.recraft.ai/docs/api-reference/endpoints
export default defineProvider({
  id: 'recraft',
  name: 'RecraftAI',
  type: 51,
  baseUrl: 'https://external.api.recraft.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    // OpenAI's client is the vendor's own example: https://www.recraft.ai/docs/api-reference/examples
    images: [defineEndpoint('openai', '/v1/images/generations')],
    'image-tools': [
      defineEndpoint('vendor', ({ model }) => tools[model], { quirks: [withoutModel] }),
    ],
  },
  routes,
  links: {
    site: 'https://www.recraft.ai',
    keys: 'https://app.recraft.ai/profile/api',
    docs: 'https://www.recraft.ai/docs/api-reference/endpoints',
  },
  // https://www.recraft.ai/docs/api-reference
  defaultModels: [
    'recraftv4_1',
    'recraftv4_1_pro',
    'recraftv4',
    'recraftv4_vector',
    'recraftv3',
    'recraftv3_vector',
    ...Object.keys(tools),
  ],
  testModel: 'recraftv4_1',
  // 1,000 API units are a dollar: https://www.recraft.ai/docs/api-reference/pricing
  balance: creditBalance('/v1/users/me', 1_000),
  errorRules: [{ status: 402, fault: 'upstream.funds', channel: 'disable' }],
})
