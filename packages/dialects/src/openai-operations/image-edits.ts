import type { CallerFormat } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { type InvalidBody, invalid, readTop } from '../json/read-request.ts'
import type { ReadResult } from '../parsed-request.ts'
import {
  defaultImageModel,
  type Fields,
  imageAnswer,
  imageStream,
  readImageOutput,
} from './image-fields.ts'
import { imagePricing } from './image-pricing.ts'
import { isInvalid, plainParams, readModel, readText, withDefaultModel } from './read.ts'

const guarded = [
  'model',
  'prompt',
  'image',
  'images',
  'mask',
  'n',
  'size',
  'quality',
  'style',
  'stream',
  'partial_images',
  'response_format',
] as const

const bytesPerToken = 3

/**
 * The most tokens of one input image: 65, 129 for each of three tiles, and 6,240 at high fidelity.
 * https://platform.openai.com/docs/guides/images-vision#calculating-costs
 */
const tokensPerInputImage = 65 + 3 * 129 + 6_240

const makeRead =
  ({ hasPrompt }: { hasPrompt: boolean }) =>
  (original: Buffer): ReadResult => {
    const body = withDefaultModel(original, defaultImageModel)
    const top = readTop(body, guarded)
    if (!top.ok) return top
    const { fieldRanges: fields } = top
    const model = readModel(body, fields)
    if (isInvalid(model)) return model
    const prompt = readText(body, fields, 'prompt')
    if (isInvalid(prompt)) return prompt
    if (hasPrompt && !prompt) return invalid("'prompt' must describe the change.")
    const images = countImages(body, fields)
    if (isInvalid(images)) return images
    const promptTokens = Math.ceil(Buffer.byteLength(prompt ?? '') / bytesPerToken)
    const imageTokens = images * tokensPerInputImage
    const output = readImageOutput(body, fields, ['n'])
    if (isInvalid(output)) return output
    const { stream, imageForm, ...fieldsOfPrice } = output
    const pricing = imagePricing({ model, promptTokens, imageTokens, ...fieldsOfPrice })
    if (isInvalid(pricing)) return pricing
    const given = { model, stream, promptTokens, pricing, ...(imageForm && { imageForm }) }
    const params = { ...plainParams, ...given }
    return { ok: true, parsed: { ...params, fieldRanges: fields, body } }
  }

/** Names of input images: `image` and `image[]` in forms, `image` or `images` in JSON. A mask is an image too. */
const imageFields = ['image', 'image[]', 'images', 'mask'] as const

const countImages = (body: Buffer, fields: Fields): number | InvalidBody => {
  let count = 0
  for (const name of imageFields) {
    const range = fields.get(name)
    if (!range) continue
    const value: unknown = JSON.parse(body.toString('utf8', range.start, range.end))
    const list = Array.isArray(value) ? value : value === null ? [] : [value]
    if (list.some(each => (each as Json | null)?.file_id !== undefined))
      return invalid(`'${name}' must be an image; files of the provider are not available here.`)
    count += list.length
  }
  const hasImage = imageFields.some(name => name !== 'mask' && fields.has(name))
  return hasImage && count > 0 ? count : invalid("'image' must be an image.")
}

/** https://platform.openai.com/docs/api-reference/images/createEdit */
export const openaiImageEdits: CallerFormat = {
  ...imageAnswer,
  ...imageStream('image_edit.completed'),
  read: makeRead({ hasPrompt: true }),
}

/** https://platform.openai.com/docs/api-reference/images/createVariation */
export const openaiImageVariations: CallerFormat = {
  ...imageAnswer,
  read: makeRead({ hasPrompt: false }),
}
