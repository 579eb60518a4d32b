import {
  type Json,
  noUsage,
  refuseTokenIds,
  tokenCountOf,
  type VendorEmbeddings,
} from '@hub/dialects'
import { refuseSeveral, selectFields, textsOf } from '../vendor-embeddings.ts'

/** The first generation has vectors of one length. */
const hasFixedLength = (model: string): boolean => /titan-embed-(text-v1|g1-text)/.test(model)
const isMultimodal = (model: string): boolean => model.includes('titan-embed-image')

/**
 * Texts: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
 * Texts by the multimodal model: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-mm.html
 */
export const titanEmbeddings: VendorEmbeddings = {
  id: 'titan-native',
  refuses: request => {
    const { model, dimensions } = request
    return (
      refuseTokenIds(request) ??
      refuseSeveral(request) ??
      (dimensions !== undefined && hasFixedLength(model)
        ? "'dimensions' is not supported by this model; leave it out."
        : undefined)
    )
  },
  encodeRequest: request => {
    const { model, dimensions, task, title } = request
    const { fields, warnings } = selectFields(request, 'titan-native', ['normalize'])
    if (task !== undefined) warnings.warnDropped('taskType')
    if (title !== undefined) warnings.warnDropped('title')
    const length = isMultimodal(model)
      ? { embeddingConfig: { outputEmbeddingLength: dimensions } }
      : { dimensions }
    return {
      body: {
        inputText: textsOf(request)[0],
        ...(dimensions === undefined ? {} : length),
        ...fields,
      },
      warnings: warnings.list,
    }
  },
  decodeAnswer: (body, model) => {
    const { embedding, inputTextTokenCount } = (body ?? {}) as Json
    if (!Array.isArray(embedding)) return undefined
    const input = tokenCountOf(inputTextTokenCount)
    const usage = input === undefined || Number.isNaN(input) ? 'broken' : { ...noUsage(), input }
    return { model, vectors: [embedding], usage }
  },
}

/** Cohere's name for each task of Gemini's API. */
const inputTypes: Readonly<Record<string, string>> = {
  RETRIEVAL_QUERY: 'search_query',
  RETRIEVAL_DOCUMENT: 'search_document',
  CLASSIFICATION: 'classification',
  CLUSTERING: 'clustering',
}

/**
 * Cohere's models must be given an `input_type`; texts are documents unless the caller tells otherwise. Answers report no
 * tokens. https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html
 */
export const cohereEmbeddings: VendorEmbeddings = {
  id: 'bedrock-cohere-native',
  refuses: request => {
    const { model, dimensions } = request
    return (
      refuseTokenIds(request) ??
      (dimensions !== undefined && /embed-(english|multilingual)-v3/.test(model)
        ? "'dimensions' is not supported by this model; leave it out."
        : undefined)
    )
  },
  encodeRequest: request => {
    const { dimensions, task, title } = request
    const names = ['input_type', 'truncate', 'max_tokens']
    const { fields, warnings } = selectFields(request, 'bedrock-cohere-native', names)
    const inputType = task === undefined ? undefined : inputTypes[task]
    if (task !== undefined && inputType === undefined) warnings.warnDropped('taskType')
    if (title !== undefined) warnings.warnDropped('title')
    return {
      body: {
        texts: textsOf(request),
        input_type: inputType ?? 'search_document',
        embedding_types: ['float'],
        ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
        ...fields,
      },
      warnings: warnings.list,
    }
  },
  decodeAnswer: (body, model) => {
    const vectors = ((body ?? {}) as Json).embeddings?.float
    return Array.isArray(vectors) ? { model, vectors } : undefined
  },
}
