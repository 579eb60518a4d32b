import { decodeCommonFault, type Json, noUsage, tokensPerImage } from '@hub/dialects'
import { aspectRatioOf, isRefusal, parseObject, readImageRequest } from '../openai-fields.ts'
import type { EncodedOperation, OperationTranslation, Refusal } from '../operation-translation.ts'

export const imageModels = /(^|[./])(amazon\.(nova-canvas|titan-image)|stability\.)/

const isAmazon = (model: unknown): boolean => /amazon\./.test(String(model))

const ratios = ['1:1', '16:9', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']

/** https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html */
const encodeAmazon = (request: Json): EncodedOperation | Refusal => {
  const read = readImageRequest(request, { countMax: 5, formats: ['png'] })
  if (isRefusal(read)) return read
  const {
    model: _model,
    prompt,
    size,
    output_format: _png,
    negative_prompt,
    ...config
  } = read.fields
  const pixels = readSize(size)
  if (isRefusal(pixels)) return pixels
  return {
    body: {
      taskType: 'TEXT_IMAGE',
      textToImageParams: {
        text: prompt,
        ...(negative_prompt === undefined ? {} : { negativeText: negative_prompt }),
      },
      imageGenerationConfig: { numberOfImages: read.n, ...pixels, ...config },
    },
    dropped: read.dropped,
  }
}

const readSize = (size: unknown): { width: number; height: number } | Json | Refusal => {
  if (size === undefined || size === 'auto') return {}
  const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(String(size)) ?? []
  return width && height
    ? { width: Number(width), height: Number(height) }
    : { refused: "'size' must be 'auto', or a size such as 1024x1024." }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html */
const encodeStability = (request: Json): EncodedOperation | Refusal => {
  const read = readImageRequest(request, { formats: ['png', 'jpeg'] })
  if (isRefusal(read)) return read
  const { model: _model, size, ...fields } = read.fields
  const ratio = aspectRatioOf(size, ratios)
  if (isRefusal(ratio)) return ratio
  return {
    body: { ...(ratio === undefined ? {} : { aspect_ratio: ratio }), ...fields },
    dropped: read.dropped,
  }
}

/** Nova Canvas costs half as much again above this: https://aws.amazon.com/bedrock/pricing/ */
const basePixels = 1_024 * 1_024
const largeRatio = 1.5

const tokensOf = ({ model, size }: Json): number => {
  const [width = 0, height = 0] = String(size ?? '')
    .split('x')
    .map(Number)
  const isLarge = /nova-canvas/.test(String(model)) && width * height > basePixels
  return isLarge ? tokensPerImage * largeRatio : tokensPerImage
}

/** Images of Amazon's and Stability AI's models by InvokeModel. */
export const images: OperationTranslation = {
  encodeRequest: request =>
    isAmazon(request.model) ? encodeAmazon(request) : encodeStability(request),
  decodeAnswer: ({ body }, request) => {
    const list: unknown[] = parseObject(body)?.images ?? []
    const data = list.flatMap(each => (typeof each === 'string' ? { b64_json: each } : []))
    if (data.length === 0) return undefined
    const usage = { ...noUsage(), input: tokensOf(request) * data.length }
    return { body: { created: 0, data }, usage }
  },
  decodeFault: body => {
    const { finish_reasons: reasons, error } = parseObject(body) ?? {}
    const reason: unknown = Array.isArray(reasons) ? reasons.find(Boolean) : error
    if (typeof reason !== 'string') return decodeCommonFault(body)
    // The prompt or the image was filtered; any other reason is the model's.
    const isCallers = /filter|content policy|AI policy/i.test(reason)
    return { message: reason, type: isCallers ? 'invalid_request_error' : '', code: '' }
  },
}
