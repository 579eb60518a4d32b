import type { CallerFormat } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { invalid, readTop, wholeNumber } from '../json/read-request.ts'
import { openaiBase } from '../openai-chat/base.ts'
import type { ReadResult } from '../parsed-request.ts'
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
  'n',
  'batch_size',
  'size',
  'quality',
  'stream',
  'partial_images',
] as const

/** One Hub's default. */
const defaultModel = 'dall-e-2'
const imagesMax = 100
const partialImagesMax = 3

const read = (original: Buffer): ReadResult => {
  const body = withDefaultModel(original, defaultModel)
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges: ranges, promptTokens } = top
  const model = readModel(body, ranges)
  if (isInvalid(model)) return model
  const prompt = readText(body, ranges, 'prompt')
  if (isInvalid(prompt)) return prompt
  if (!prompt) return invalid("'prompt' must describe the image.")
  // Some vendors have another name for `n`.
  const counts = ['n', 'batch_size'].map(
    key => wholeNumber(body, ranges.get(key), 1, imagesMax) ?? 1,
  )
  if (counts.includes('wrong')) return invalid(`'n' must be a whole number from 1 to ${imagesMax}.`)
  const size = readText(body, ranges, 'size')
  if (isInvalid(size)) return size
  const quality = readText(body, ranges, 'quality')
  if (isInvalid(quality)) return quality
  const stream = readFlag(body, ranges, 'stream')
  if (isInvalid(stream)) return stream
  const partialImages = wholeNumber(body, ranges.get('partial_images'), 0, partialImagesMax) ?? 0
  if (partialImages === 'wrong')
    return invalid(`'partial_images' must be a whole number from 0 to ${partialImagesMax}.`)
  const n = Math.max(...(counts as number[]))
  const pricing = imagePricing({ model, n, size, quality, partialImages, promptTokens })
  if (isInvalid(pricing)) return pricing
  return {
    ok: true,
    parsed: { ...plainParams, model, stream, promptTokens, pricing, fieldRanges: ranges, body },
  }
}

/** Writes the events of a stream without partial images. */
const splitReply = (body: Buffer): Buffer => {
  const { data, created, usage, ...rest } = JSON.parse(body.toString()) as Json
  const type = 'image_generation.completed'
  const events = (data as Json[]).map(image => ({
    type,
    ...image,
    ...rest,
    created_at: created,
    ...(usage ? { usage } : {}),
  }))
  return Buffer.from(
    events.map(each => `event: ${type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
  )
}

/** https://platform.openai.com/docs/api-reference/images/create */
export const openaiImages: CallerFormat = {
  ...openaiBase,
  id: 'openai',
  read,
  decodeUsage: usage => decodeImageUsage(usage) ?? 'broken',
  // https://platform.openai.com/docs/api-reference/images-streaming
  observeStream: () =>
    observeTypedEvents({
      final: ['image_generation.completed'],
      decodeUsage: decodeImageUsage,
    }),
  readReply: replyReader({ list: 'data', decodeUsage: decodeImageUsage }),
  splitReply,
}
