import { tokenCountOf } from '../decode-values.ts'
import { isJsonObject, type Json } from '../json/json.ts'
import { type InvalidBody, invalid } from '../json/read-request.ts'
import type { RequestPricing } from '../parsed-request.ts'
import { noUsage, type Usage } from '../usage.ts'
import { usageWith } from './read.ts'

/** The fields that decide the price of images. */
export type ImageFields = {
  model: string
  n: number
  size: string | undefined
  quality: string | undefined
  style?: string | undefined
  partialImages: number
  /** Tokens of the prompt, and of images that the request contains. */
  promptTokens: number
  imageTokens?: number
}

/** An image counts as so many tokens times the ratio of its size, as in One Hub. */
export const tokensPerImage = 1_000

// The ratios are One Hub's, after https://platform.openai.com/docs/pricing.
const ratiosBySize: readonly { models: RegExp; ratios: Record<string, number>; hd?: number }[] = [
  { models: /dall-e-2/, ratios: { '256x256': 1, '512x512': 1.125, '1024x1024': 1.25 } },
  { models: /dall-e-3/, ratios: { '1024x1024': 1, '1024x1792': 2, '1792x1024': 2 } },
]
const defaultSize = '1024x1024'

/** The ratios are One Hub's, after https://www.recraft.ai/docs/api-reference/pricing. */
const ratiosByStyle: readonly { models: RegExp; ratios: Record<string, number> }[] = [
  { models: /^recraft(v2|v3|20b)$/, ratios: { vector_illustration: 2 } },
]

/** Models that are sold by the token and report usage. */
const soldByTokens = /gpt-image|chatgpt-image/

/** They report usage too: https://ai.google.dev/gemini-api/docs/pricing */
const geminiImages = /^gemini-.*image/
/** An image has 1,290 tokens, or up to 2,520 at the largest size: https://ai.google.dev/gemini-api/docs/image-generation */
const geminiTokensMax = 2_520

const geminiPricing = ({ n, promptTokens }: ImageFields): RequestPricing => {
  const usage = usageWith({ input: promptTokens, imageOutput: geminiTokensMax * n })
  return { max: usage, unreported: usage, isPromptCounted: true, isExact: false, units: n }
}

/** Returns a hint for a value that cannot be priced. */
export const imagePricing = (fields: ImageFields): RequestPricing | InvalidBody => {
  const { model, n, size, quality, style = '' } = fields
  if (soldByTokens.test(model)) return tokenPricing(fields)
  if (geminiImages.test(model)) return geminiPricing(fields)
  const table = ratiosBySize.find(each => each.models.test(model))
  // The models of other vendors have one price for every size.
  let ratio = ratiosByStyle.find(each => each.models.test(model))?.ratios[style] ?? 1
  if (table) {
    const found = table.ratios[size ?? defaultSize]
    if (found === undefined)
      return invalid(
        `'size' must be one of ${Object.keys(table.ratios).join(', ')} for this model.`,
      )
    ratio = found
    if (quality === 'hd' && /dall-e-3/.test(model))
      ratio *= (size ?? defaultSize) === defaultSize ? 2 : 1.5
  }
  const usage = usageWith({ input: Math.trunc(ratio * tokensPerImage) * n })
  return { max: usage, unreported: usage, isExact: true, units: n }
}

// Tokens of an image of 1024 x 1024; others have tokens in proportion to their pixels:
// https://platform.openai.com/docs/guides/image-generation#calculating-costs
const tokensByQuality: Record<string, number> = { low: 272, medium: 1_056, high: 4_160 }
const basePixels = 1_024 * 1_024
/** The larger of the sizes among which `auto` chooses. */
const autoPixels = 1_024 * 1_536
const tokensPerPartialImage = 100

const tokenPricing = (fields: ImageFields): RequestPricing | InvalidBody => {
  const {
    n,
    size = 'auto',
    quality = 'auto',
    partialImages,
    promptTokens,
    imageTokens = 0,
  } = fields
  const perImage = quality === 'auto' ? tokensByQuality.high : tokensByQuality[quality]
  if (perImage === undefined) return invalid("'quality' must be low, medium, high or auto.")
  const pixels = size === 'auto' ? autoPixels : pixelsOf(size)
  if (pixels === undefined) return invalid("'size' must be auto, or a size such as 1024x1024.")
  const tokens = Math.ceil((perImage * pixels) / basePixels) + partialImages * tokensPerPartialImage
  const usage = usageWith({
    input: promptTokens,
    imageInput: imageTokens,
    imageOutput: tokens * n,
  })
  return { max: usage, unreported: usage, isPromptCounted: true, isExact: false, units: n }
}

const pixelsOf = (size: string): number | undefined => {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  const pixels = Number(width) * Number(height)
  return pixels > 0 ? pixels : undefined
}

/**
 * Decodes the usage of image models. Undefined where a vendor reports no tokens, so that the images are counted.
 * https://platform.openai.com/docs/api-reference/images/object
 */
export const decodeImageUsage = (value: unknown): Usage | 'broken' | undefined => {
  if (!isJsonObject(value)) return undefined
  const { input_tokens_details, output_tokens_details } = value as Json
  const input = tokenCountOf(value.input_tokens) ?? 0
  const output = tokenCountOf(value.output_tokens) ?? 0
  const images = tokenCountOf(input_tokens_details?.image_tokens) ?? 0
  const text = tokenCountOf(output_tokens_details?.text_tokens) ?? 0
  if (Number.isNaN(input + output + images + text)) return 'broken'
  if (input + output === 0) return undefined
  const imageInput = Math.min(images, input)
  const textOutput = Math.min(text, output)
  return {
    ...noUsage(),
    input: input - imageInput,
    imageInput,
    output: textOutput,
    imageOutput: output - textOutput,
  }
}
