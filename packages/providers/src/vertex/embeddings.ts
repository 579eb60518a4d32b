import { geminiEmbeddings, type Json, refuseTokenIds, type VendorEmbeddings } from '@hub/dialects'
import { refuseSeveral, selectFields, textsOf } from '../vendor-embeddings.ts'

/** Both answers are read like those of the Gemini API. */
const { decodeAnswer } = geminiEmbeddings.embeddings

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const textEmbeddings: VendorEmbeddings = {
  id: 'vertex-native',
  refuses: refuseTokenIds,
  encodeRequest: request => {
    const { dimensions, task, title } = request
    const { fields, warnings } = selectFields(request, 'vertex-native', ['autoTruncate'])
    const parameters = {
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      ...fields,
    }
    return {
      body: {
        instances: textsOf(request).map(content => ({
          content,
          ...(task === undefined ? {} : { task_type: task }),
          ...(title === undefined ? {} : { title }),
        })),
        ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
      },
      warnings: warnings.list,
    }
  },
  decodeAnswer,
}

/** Gemini Embedding 2 and later: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/embedding-2 */
export const contentEmbeddings: VendorEmbeddings = {
  id: 'vertex-native',
  refuses: request => refuseTokenIds(request) ?? refuseSeveral(request),
  encodeRequest: request => {
    const { dimensions, task, title } = request
    const { fields, warnings } = selectFields(request, 'vertex-native', ['autoTruncate'])
    const config = {
      ...(task === undefined ? {} : { taskType: task }),
      ...(title === undefined ? {} : { title }),
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      ...fields,
    }
    return {
      body: {
        content: { parts: textsOf(request).map(text => ({ text })) },
        ...(Object.keys(config).length > 0 ? { embedContentConfig: config } : {}),
      },
      warnings: warnings.list,
    }
  },
  decodeAnswer,
}

/**
 * Texts by the model of images and videos. Answers report no tokens.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/multimodal-embeddings-api
 */
export const multimodalEmbeddings: VendorEmbeddings = {
  id: 'vertex-native',
  refuses: refuseTokenIds,
  encodeRequest: request => {
    const { dimensions, task, title } = request
    const { warnings } = selectFields(request, 'vertex-native', [])
    if (task !== undefined) warnings.warnDropped('taskType')
    if (title !== undefined) warnings.warnDropped('title')
    return {
      body: {
        instances: textsOf(request).map(text => ({ text })),
        ...(dimensions === undefined ? {} : { parameters: { dimension: dimensions } }),
      },
      warnings: warnings.list,
    }
  },
  decodeAnswer: (body, model) => {
    const { predictions } = (body ?? {}) as Json
    if (!Array.isArray(predictions)) return undefined
    return { model, vectors: predictions.map((each: Json) => each?.textEmbedding ?? []) }
  },
}
