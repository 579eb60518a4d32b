import type { Extra, Note } from '../canon.ts'
import type { Named, Unreadable } from '../dialect.ts'
import type { Usage } from '../usage.ts'

/** What one vector is made of: a text, or the numbers of its tokens. */
export type EmbeddingInput = { text: string } | { tokens: number[] }

/** What every dialect means by a request for embeddings. */
export type EmbeddingsRequest = {
  model: string
  inputs: EmbeddingInput[]
  /** How many numbers a vector has; absent: the model's own. */
  dimensions?: number
  /** What the vectors are for, as Gemini names it: `RETRIEVAL_QUERY`, … */
  task?: string
  title?: string
  /** Vectors as base64 of little-endian 32-bit floats; absent: as numbers. */
  isBase64?: true
  user?: string
  /** The caller asked for a list, also of one. */
  isList?: true
  extra?: Extra
}

/** Vectors stand in the order of the inputs. */
export type EmbeddingsReply = {
  model: string
  vectors: number[][]
  usage?: Usage | 'broken'
  extra?: Extra
}

export type EmbeddingsResult =
  | { ok: true; request: EmbeddingsRequest }
  | ({ ok: false } & Unreadable)

export type EmbeddingsWritten = { body: Record<string, unknown>; notes: Note[] }

/** Both halves of a dialect's embeddings. */
export type Embeddings = {
  decodeRequest(body: unknown, named?: Named): EmbeddingsResult
  encodeRequest(request: EmbeddingsRequest): EmbeddingsWritten
  /** Why it cannot be asked here at all; absent: whatever can be asked elsewhere can be asked here. */
  refuses?(request: EmbeddingsRequest): string | undefined
  /** `model`: what was asked, for a dialect whose answer does not name it. Undefined for what is no answer. */
  decodeReply(body: unknown, model: string): EmbeddingsReply | undefined
  /** In the form in which the caller asked. */
  encodeReply(reply: EmbeddingsReply, request: EmbeddingsRequest): Record<string, unknown>
}
