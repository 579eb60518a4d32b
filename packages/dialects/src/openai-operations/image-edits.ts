import type { CallerFormat } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { type InvalidBody, invalid, readTop, wholeNumber } from '../json/read-request.ts'
import { openaiBase } from '../openai-chat/base.ts'
import type { ByteRange, ReadResult } from '../parsed-request.ts'
import { decodeImageUsage, imagePricing } from './image-pricing.ts'
import {
  isInvalid,
  plainParams,
  readFlag,
  readModel,
  readText,
  replyReader,
  withDefaultModel,
} from './read.ts'
import { observeTypedEvents } from './typed-events.ts'

const guarded = [
  'model',
  'prompt',
  'image',
  'images',
  'mask',
  'n',
  'size',
  'quality',
  'stream',
  'partial_images',
] as const

/** One Hub's default. */
const defaultModel = 'dall-e-2'
const imagesMax = 100
const partialImagesMax = 3
const bytesPerToken = 3

/**
 * The most tokens of one input image: 65, 129 for each of three tiles, and 6,240 at high fidelity.
 * https://platform.openai.com/docs/guides/images-vision#calculating-costs
 */
const tokensPerInputImage = 65 + 3 * 129 + 6_240

type Fields = ReadonlyMap<string, ByteRange>

const makeRead =
  ({ hasPrompt }: { hasPrompt: boolean }) =>
  (original: Buffer): ReadResult => {
    const body = withDefaultModel(original, defaultModel)
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
    const output = readOutput(body, fields)
    if (isInvalid(output)) return output
    const { stream, ...fieldsOfPrice } = output
    const pricing = imagePricing({ model, promptTokens, imageTokens, ...fieldsOfPrice })
    if (isInvalid(pricing)) return pricing
    const params = { ...plainParams, model, stream, promptTokens, pricing }
    return { ok: true, parsed: { ...params, fieldRanges: fields, body } }
  }

const readOutput = (body: Buffer, fields: Fields) => {
  const n = wholeNumber(body, fields.get('n'), 1, imagesMax) ?? 1
  if (n === 'wrong') return invalid(`'n' must be a whole number from 1 to ${imagesMax}.`)
  const size = readText(body, fields, 'size')
  if (isInvalid(size)) return size
  const quality = readText(body, fields, 'quality')
  if (isInvalid(quality)) return quality
  const stream = readFlag(body, fields, 'stream')
  if (isInvalid(stream)) return stream
  const partialImages = wholeNumber(body, fields.get('partial_images'), 0, partialImagesMax) ?? 0
  if (partialImages === 'wrong')
    return invalid(`'partial_images' must be a whole number from 0 to ${partialImagesMax}.`)
  return { n, size, quality, stream, partialImages }
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

/** Writes the events of a stream without partial images. */
const splitReply = (body: Buffer): Buffer => {
  const { data, created, ...rest } = JSON.parse(body.toString()) as Json
  const type = 'image_edit.completed'
  const events = (data as Json[]).map(image => ({ type, ...image, ...rest, created_at: created }))
  const frames = events.map(each => `event: ${type}\ndata: ${JSON.stringify(each)}\n\n`)
  return Buffer.from(frames.join(''))
}

const answer = {
  ...openaiBase,
  id: 'openai',
  decodeUsage: (usage: unknown) => decodeImageUsage(usage) ?? 'broken',
  readReply: replyReader({ list: 'data', decodeUsage: decodeImageUsage }),
} as const

/** https://platform.openai.com/docs/api-reference/images/createEdit */
export const openaiImageEdits: CallerFormat = {
  ...answer,
  read: makeRead({ hasPrompt: true }),
  // https://platform.openai.com/docs/api-reference/images-streaming
  observeStream: () =>
    observeTypedEvents({ final: ['image_edit.completed'], decodeUsage: decodeImageUsage }),
  splitReply,
}

/** https://platform.openai.com/docs/api-reference/images/createVariation */
export const openaiImageVariations: CallerFormat = {
  ...answer,
  read: makeRead({ hasPrompt: false }),
}
