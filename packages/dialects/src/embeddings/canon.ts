import type { UnknownFields, Warning } from '../canon.ts'
import type { VendorDialectId } from '../dialect-id.ts'
import type { PathParams, Unreadable } from '../parsed-request.ts'
import type { Usage } from '../usage.ts'

/** Input of one vector: a text or its token ids. */
export type EmbeddingInput = { text: string } | { tokens: number[] }

/** Canonical embeddings request. */
export type EmbeddingsRequest = {
  model: string
  inputs: EmbeddingInput[]
  /** Length of a vector; absent means the model's default. */
  dimensions?: number
  /** Gemini's task type, such as `RETRIEVAL_QUERY`. */
  task?: string
  title?: string
  /** Requests vectors as base64 of little-endian 32-bit floats instead of numbers. */
  isBase64?: true
  user?: string
  /** The response is a list even for one input. */
  isList?: true
  unknownFields?: UnknownFields
}

/** Vectors are in the order of the inputs. */
export type EmbeddingsAnswer = {
  model: string
  vectors: number[][]
  usage?: Usage | 'broken'
  unknownFields?: UnknownFields
}

export type EmbeddingsResult =
  | { ok: true; request: EmbeddingsRequest }
  | ({ ok: false } & Unreadable)

export type EncodedEmbeddings = { body: Record<string, unknown>; warnings: Warning[] }

/** Token ids belong to one vendor's tokenizer, and an empty input would return a wrong vector. */
export const refuseTokenIds = ({ inputs }: EmbeddingsRequest): string | undefined =>
  inputs.some(each => 'tokens' in each)
    ? "This model reads texts only: 'input' must not be numbers of tokens."
    : undefined

/** Codec for the embeddings of one dialect. */
export type Embeddings = {
  decodeRequest(body: unknown, named?: PathParams): EmbeddingsResult
  encodeRequest(request: EmbeddingsRequest): EncodedEmbeddings
  /** Returns an error message for a request that this dialect cannot express; absent if it can express all. */
  refuses?(request: EmbeddingsRequest): string | undefined
  /** `model` is the requested model, for responses that omit it. Returns undefined unless the body is a response. */
  decodeAnswer(body: unknown, model: string): EmbeddingsAnswer | undefined
  /** Encodes in the format that the caller requested. */
  encodeResponse(answer: EmbeddingsAnswer, request: EmbeddingsRequest): Record<string, unknown>
}

/** The upstream half, for a format that only one vendor has. */
export type VendorEmbeddings = Pick<Embeddings, 'encodeRequest' | 'refuses' | 'decodeAnswer'> & {
  id: VendorDialectId
}
