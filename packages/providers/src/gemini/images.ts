import { type Json, noUsage, tokensPerImage } from '@hub/dialects'
import { aspectRatioOf, isRefusal, parseObject, readImageRequest } from '../openai-fields.ts'
import type { EncodedOperation, OperationTranslation, Refusal } from '../operation-translation.ts'
import { decodeBlockedPrompt, readInlineData } from './generated-content.ts'

/** Models that draw only; the others answer by `generateContent`. */
export const isImagen = (model: string): boolean => model.startsWith('imagen')

/** https://ai.google.dev/gemini-api/docs/imagen */
const imagenRatios = ['1:1', '3:4', '4:3', '9:16', '16:9']
/** https://ai.google.dev/gemini-api/docs/image-generation */
const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

const encodeImagen = (request: Json): EncodedOperation | Refusal => {
  const read = readImageRequest(request, { countMax: 4, formats: ['png'] })
  if (isRefusal(read)) return read
  const { model: _model, prompt, size, output_format: _png, ...parameters } = read.fields
  const aspectRatio = aspectRatioOf(size, imagenRatios)
  if (isRefusal(aspectRatio)) return aspectRatio
  return {
    body: {
      instances: [{ prompt }],
      parameters: { sampleCount: read.n, ...(aspectRatio ? { aspectRatio } : {}), ...parameters },
    },
    dropped: read.dropped,
  }
}

const encodeContent = (request: Json): EncodedOperation | Refusal => {
  const read = readImageRequest(request, { formats: ['png'] })
  if (isRefusal(read)) return read
  const { prompt, size, model: _model, output_format: _png, ...rest } = read.fields
  const aspectRatio = aspectRatioOf(size, ratios)
  if (isRefusal(aspectRatio)) return aspectRatio
  const { imageConfig, ...config } = (rest.generationConfig ?? {}) as Json
  const image = { ...(aspectRatio ? { aspectRatio } : {}), ...imageConfig }
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        ...(Object.keys(image).length > 0 ? { imageConfig: image } : {}),
        ...config,
      },
    },
    dropped: [...read.dropped, ...Object.keys(rest).filter(each => each !== 'generationConfig')],
  }
}

/** Images of Imagen and of Gemini, at Google's Gemini API and at Vertex AI. */
export const images: OperationTranslation = {
  encodeRequest: request =>
    isImagen(String(request.model)) ? encodeImagen(request) : encodeContent(request),
  decodeAnswer: ({ body }, { model }) => {
    if (!isImagen(String(model))) {
      const answer = readInlineData(body)
      if (!answer) return undefined
      const { made, usage } = answer
      const data = made.map(each => ({ b64_json: each.data }))
      return { body: { created: 0, data }, ...(usage === undefined ? {} : { usage }) }
    }
    const predictions: Json[] = parseObject(body)?.predictions ?? []
    const data = predictions.flatMap(({ bytesBase64Encoded: image }) =>
      typeof image === 'string' ? { b64_json: image } : [],
    )
    if (data.length === 0) return undefined
    // Filtered images are not charged: https://cloud.google.com/vertex-ai/generative-ai/docs/image/responsible-ai-imagen
    const usage = { ...noUsage(), input: tokensPerImage * data.length }
    return { body: { created: 0, data }, usage }
  },
  decodeFault: decodeBlockedPrompt,
}
