import {
  apiKey,
  bearer,
  defineEndpoint,
  defineProvider,
  defineVendorEndpoint,
  type PathContext,
} from '../define.ts'
import { replicateChat } from './dialect.ts'
import { awaitImages, images } from './images.ts'
import { awaitPrediction, waitSeconds } from './prediction.ts'

/** `owner/name`, or `owner/name:version`. */
const names = /^\w[\w.-]*\/\w[\w.-]*(:[0-9a-f]+)?$/

/** A version has one address for all models, and stands in the body. */
const pathOf = ({ model }: PathContext): string =>
  model.includes(':') ? '/v1/predictions' : `/v1/models/${model}/predictions`

// Address, key, statuses: https://replicate.com/docs/reference/http
export default defineProvider({
  id: 'replicate',
  name: 'Replicate',
  type: 52,
  baseUrl: 'https://api.replicate.com',
  credential: apiKey(),
  sign: bearer,
  headers: { prefer: `wait=${waitSeconds}` },
  serves: {
    // Language models have the same addresses, and another form of input.
    chat: [
      defineVendorEndpoint(replicateChat, pathOf, {
        onlyModels: names,
        pendingResult: awaitPrediction(() => true),
      }),
    ],
    images: [
      defineEndpoint('vendor', pathOf, {
        translation: images,
        imageForm: 'url',
        onlyModels: names,
        pendingResult: awaitImages,
      }),
    ],
  },
  links: {
    site: 'https://replicate.com',
    keys: 'https://replicate.com/account/api-tokens',
    docs: 'https://replicate.com/docs/reference/http',
  },
  defaultModels: [
    'black-forest-labs/flux-schnell',
    'black-forest-labs/flux-dev',
    'black-forest-labs/flux-1.1-pro',
    'meta/meta-llama-3-70b-instruct',
  ],
  testModel: 'meta/meta-llama-3-70b-instruct',
  // https://replicate.com/docs/topics/billing: without credit the status is 402.
  errorRules: [{ status: 402, fault: 'upstream.funds', channel: 'disable' }],
})
