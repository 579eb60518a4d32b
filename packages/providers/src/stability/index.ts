import { creditBalance } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { images } from './images.ts'

// Address, key, fields, errors: https://platform.stability.ai/docs/api-reference
export default defineProvider({
  id: 'stability',
  name: 'Stability AI',
  type: 37,
  baseUrl: 'https://api.stability.ai/v2beta',
  credential: apiKey(),
  sign: bearer,
  serves: {
    images: [
      defineEndpoint('vendor', ({ model }) => `/stable-image/generate/${serviceOf(model)}`, {
        translation: images,
        imageForm: 'b64_json',
      }),
    ],
  },
  links: {
    site: 'https://platform.stability.ai',
    keys: 'https://platform.stability.ai/account/keys',
    docs: 'https://platform.stability.ai/docs/api-reference',
  },
  defaultModels: [
    'stable-image-ultra',
    'stable-image-core',
    'sd3.5-large',
    'sd3.5-large-turbo',
    'sd3.5-medium',
  ],
  testModel: 'stable-image-core',
  // A credit is a cent. Next to /v2beta: https://platform.stability.ai/docs/api-reference#tag/User
  balance: creditBalance('/../v1/user/balance', 100),
  errorRules: [
    // Status 403, like a refused key.
    { match: /flagged by our content moderation/i, fault: 'upstream.caller' },
    { status: 402, fault: 'upstream.funds', channel: 'disable' },
  ],
})

/** Ultra and Core are services of their own; every other model is a value of the field `model`, as in One Hub. */
const serviceOf = (model: string): string => /^stable-image-(ultra|core)$/.exec(model)?.[1] ?? 'sd3'
