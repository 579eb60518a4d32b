import type { CallerFormat } from '../dialect.ts'
import { invalid, readTop } from '../json/read-request.ts'
import type { ReadResult } from '../parsed-request.ts'
import { defaultImageModel, imageAnswer, imageStream, readImageOutput } from './image-fields.ts'
import { imagePricing } from './image-pricing.ts'
import { isInvalid, plainParams, readModel, readText, withDefaultModel } from './read.ts'

const guarded = [
  'model',
  'prompt',
  'n',
  'batch_size',
  'size',
  'quality',
  'style',
  'stream',
  'partial_images',
  'response_format',
] as const

const read = (original: Buffer): ReadResult => {
  const body = withDefaultModel(original, defaultImageModel)
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges, promptTokens } = top
  const model = readModel(body, fieldRanges)
  if (isInvalid(model)) return model
  const prompt = readText(body, fieldRanges, 'prompt')
  if (isInvalid(prompt)) return prompt
  if (!prompt) return invalid("'prompt' must describe the image.")
  const output = readImageOutput(body, fieldRanges, ['n', 'batch_size'])
  if (isInvalid(output)) return output
  const { stream, imageForm, ...fieldsOfPrice } = output
  const pricing = imagePricing({ model, promptTokens, ...fieldsOfPrice })
  if (isInvalid(pricing)) return pricing
  return {
    ok: true,
    parsed: {
      ...plainParams,
      ...{ model, stream, promptTokens, pricing, fieldRanges, body },
      ...(imageForm && { imageForm }),
    },
  }
}

/** https://platform.openai.com/docs/api-reference/images/create */
export const openaiImages: CallerFormat = {
  ...imageAnswer,
  ...imageStream('image_generation.completed'),
  read,
}
