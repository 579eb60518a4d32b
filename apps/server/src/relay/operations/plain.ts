import { jinaRerank, openaiModerations, openaiSpeech } from '@hub/dialects'
import { translateEmbeddings } from '../translate/embeddings.ts'
import { makeFormatOperation, makeOperation } from './make-operation.ts'

// Operations that differ in their formats only.

export const embeddings = makeOperation('embeddings', translateEmbeddings)
export const moderations = makeFormatOperation('moderations', openaiModerations)
export const rerank = makeFormatOperation('rerank', jinaRerank)
export const speech = makeFormatOperation('speech', openaiSpeech)
