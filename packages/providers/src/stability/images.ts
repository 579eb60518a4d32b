import { aspectRatioOf, isRefusal, parseObject, readImageRequest } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'
import { encodeForm } from './form.ts'

const ratios = ['1:1', '16:9', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']

/**
 * A form makes one image, which JSON carries in base64. Fields that OpenAI does not have, such as `seed` and
 * `negative_prompt`, keep their names: https://platform.stability.ai/docs/api-reference#tag/Generate
 */
export const images: OperationTranslation = {
  encodeRequest: request => {
    const read = readImageRequest(request, {
      formats: ['png', 'jpeg', 'webp'],
    })
    if (isRefusal(read)) return read
    const { size, model, ...fields } = read.fields
    const ratio = aspectRatioOf(size, ratios)
    if (isRefusal(ratio)) return ratio
    const sent = Object.entries({
      ...(String(model).startsWith('stable-image-') ? {} : { model }),
      ...(ratio === undefined ? {} : { aspect_ratio: ratio }),
      ...fields,
    })
    const nested = sent.find(([, value]) => typeof value === 'object')
    if (nested) return { refused: `'${nested[0]}' must be a text or a number for this model.` }
    const form = encodeForm(sent.map(([name, value]) => [name, String(value)]))
    return { ...form, dropped: read.dropped }
  },
  decodeAnswer: ({ body }) => {
    const { image, seed } = parseObject(body) ?? {}
    if (typeof image !== 'string') return undefined
    return { body: { created: 0, data: [{ b64_json: image }], seed } }
  },
}
