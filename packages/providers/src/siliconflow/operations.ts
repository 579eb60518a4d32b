import type { Json } from '@hub/dialects'
import type { OperationTranslation } from '../operation-translation.ts'

/** https://docs.siliconflow.cn/cn/api-reference/rerank/create-rerank */
export const rerank: OperationTranslation = {
  encodeRequest: request => ({ body: request }),
  decodeAnswer: ({ body }, { model }) => {
    const answer = parse(body)
    if (!Array.isArray(answer?.results)) return undefined
    const { meta, tokens, ...rest } = answer
    const used = meta?.tokens ?? tokens
    const usage = used && { total_tokens: used.input_tokens, prompt_tokens: used.input_tokens }
    return { body: { model, ...rest, ...(usage ? { usage } : {}) } }
  },
}

/** https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
export const images: OperationTranslation = {
  encodeRequest: request => {
    const { n, size, quality, style, user, ...rest } = request as Json
    return {
      body: {
        ...rest,
        ...(size === undefined ? {} : { image_size: size }),
        ...(n === undefined ? {} : { batch_size: n }),
      },
      dropped: Object.entries({ quality, style, user })
        .filter(([, value]) => value !== undefined)
        .map(([key]) => key),
    }
  },
  decodeAnswer: ({ body }) => {
    const { images: list, data, created = 0 } = parse(body) ?? {}
    const all = Array.isArray(list) ? list : data
    return Array.isArray(all) ? { body: { created, data: all } } : undefined
  },
}

/** Streams no events: https://docs.siliconflow.cn/cn/api-reference/audio/create-speech */
export const speech: OperationTranslation = { encodeRequest: request => ({ body: request }) }

const parse = (body: Buffer): Json | undefined => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
