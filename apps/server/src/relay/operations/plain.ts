import {
  type CallerFormat,
  imageTools as imageToolsFormat,
  jinaRerank,
  openaiCompletions,
  openaiImageEdits,
  openaiImages,
  openaiImageVariations,
  openaiModerations,
  openaiSpeech,
  openaiTranscriptions,
} from '@hub/dialects'
import { translateEmbeddings } from '../translate/embeddings.ts'
import { makeFormatOperation, makeOperation } from './make-operation.ts'
import type { Operation } from './operation.ts'

// Operations that differ in their formats only.

export const embeddings = makeOperation('embeddings', translateEmbeddings)
export const completions = makeFormatOperation('completions', openaiCompletions)
export const images = makeFormatOperation('images', openaiImages)
export const moderations = makeFormatOperation('moderations', openaiModerations)
export const rerank = makeFormatOperation('rerank', jinaRerank)
export const speech = makeFormatOperation('speech', openaiSpeech)

const upload = (endpoints: Operation['endpoints'], format: CallerFormat): Operation => ({
  ...makeFormatOperation(endpoints, format),
  forms: 'required',
})

export const imageEdits: Operation = {
  ...makeFormatOperation('image-edits', openaiImageEdits),
  forms: 'accepted',
}
export const imageVariations = upload('image-variations', openaiImageVariations)

/** The address names the tool, which no other vendor's form could stand for. */
export const imageTools = upload('image-tools', imageToolsFormat)

export const transcriptions = upload('transcriptions', openaiTranscriptions)
export const translations = upload('translations', openaiTranscriptions)
