import type { EmbeddingsFormat } from '../dialect.ts'
import type { DialectId } from '../dialect-id.ts'
import { geminiBase } from '../gemini/base.ts'
import { openaiBase } from '../openai-chat/base.ts'
import { geminiCodec } from './gemini.ts'
import * as geminiPassing from './gemini-passthrough.ts'
import { openaiCodec } from './openai.ts'
import * as openaiPassing from './openai-passthrough.ts'

// Errors, rate limits and splicing are the same as for chat.

/** https://platform.openai.com/docs/api-reference/embeddings */
export const openaiEmbeddings: EmbeddingsFormat = {
  ...openaiBase,
  ...openaiPassing,
  embeddings: openaiCodec,
}

/** https://ai.google.dev/api/embeddings */
export const geminiEmbeddings: EmbeddingsFormat = {
  ...geminiBase,
  ...geminiPassing,
  embeddings: geminiCodec,
}

const known: Partial<Record<DialectId, EmbeddingsFormat>> = {
  'openai-chat': openaiEmbeddings,
  gemini: geminiEmbeddings,
}

/** Returns undefined for a dialect without embeddings. */
export const embeddingsOf = (id: DialectId): EmbeddingsFormat | undefined => known[id]
