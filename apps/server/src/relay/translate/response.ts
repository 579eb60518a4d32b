import { markAnswer, nameCalls, restoreToolNames } from '@hub/dialects'
import { answerIdFor } from './answer-id.ts'
import type { AnswerOptions, ChatTranslation } from './stream.ts'
import { withThoughtsAsText } from './thoughts-as-text.ts'
import { warningTexts } from './warnings.ts'

export type TranslatedResponse = {
  body: Buffer
  warnings: readonly string[]
  /** Absent for JSON. */
  contentType?: string | undefined
}

/** Writes a whole answer in the caller's dialect. `warnings` names what the dialect cannot express. */
export const translateResponse = (
  { from, to, request, localId, toolNames, thoughtsAsText, mark, summaryMark }: ChatTranslation,
  body: Buffer,
  { createdAt, id }: Pick<AnswerOptions, 'createdAt' | 'id'>,
): TranslatedResponse => {
  const decoded = to.decodeAnswer(JSON.parse(body.toString()))
  const marks = { mark, from: from.id, to: to.id }
  const named = toolNames ? restoreToolNames(decoded, toolNames) : decoded
  const answer = markAnswer(thoughtsAsText ? withThoughtsAsText(named) : named, marks)
  answer.id = localId ?? answerIdFor(from, answer.id || id, marks)
  nameCalls(answer)
  // Some vendors do not name the model in the answer.
  answer.model ||= request.model
  const encoded = from.encodeResponse(answer, {
    ...{ request, createdAt, summaryMark },
  })
  return {
    body: Buffer.from(JSON.stringify(encoded.body)),
    warnings: warningTexts(encoded.warnings),
  }
}
