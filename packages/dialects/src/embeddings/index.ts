import type { Dialect } from '../dialect.ts'
import type { DialectId } from '../dialect-id.ts'
import { gemini } from '../gemini/index.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { geminiCodec } from './gemini.ts'
import * as geminiPassing from './gemini-passthrough.ts'
import { openaiCodec } from './openai.ts'
import * as openaiPassing from './openai-passthrough.ts'

// Errors, rate limits and splicing are the same as for chat.

/** https://platform.openai.com/docs/api-reference/embeddings */
export const openaiEmbeddings: Dialect = {
  ...openaiChat,
  ...openaiPassing,
  embeddings: openaiCodec,
}

/** https://ai.google.dev/api/embeddings */
export const geminiEmbeddings: Dialect = {
  ...gemini,
  ...geminiPassing,
  embeddings: geminiCodec,
}

const known: Partial<Record<DialectId, Dialect>> = {
  'openai-chat': openaiEmbeddings,
  gemini: geminiEmbeddings,
}

/** Returns undefined for a dialect without embeddings. */
export const embeddingsOf = (id: DialectId): Dialect | undefined => known[id]
