import { restoreToolNames } from '@hub/dialects'
import { replyIdFor } from './reply-id.ts'
import type { AnswerOptions, ChatTranslation } from './stream.ts'
import { warningTexts } from './warnings.ts'

export type TranslatedResponse = {
  body: Buffer
  warnings: readonly string[]
  /** Absent for JSON. */
  contentType?: string | undefined
}

/** Writes a whole answer in the caller's dialect. `warnings` names what the dialect cannot express. */
export const translateResponse = (
  { from, to, request, localId, toolNames }: ChatTranslation,
  body: Buffer,
  { createdAt, id }: Pick<AnswerOptions, 'createdAt' | 'id'>,
): TranslatedResponse => {
  const decoded = to.decodeReply(JSON.parse(body.toString()))
  const reply = toolNames ? restoreToolNames(decoded, toolNames) : decoded
  reply.id = localId ?? replyIdFor(from, reply.id || id)
  // Some vendors do not name the model in the answer.
  reply.model ||= request.model
  const encoded = from.encodeReply(reply, { request, createdAt })
  return {
    body: Buffer.from(JSON.stringify(encoded.body)),
    warnings: warningTexts(encoded.warnings),
  }
}
