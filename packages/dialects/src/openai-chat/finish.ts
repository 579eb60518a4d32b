import type { Finish, Part } from '../canon.ts'
import { finishReasonOf, finishWords } from '../reasons/finish-reasons.ts'
import { ownFields } from '../unknown-fields.ts'
import type { WarningCollector } from '../warnings.ts'

const dialectId = 'openai-chat'

/** Some vendors send `stop` after a tool call. A client that waits for `tool_calls` would not run the call. */
export const finishOf = (word: string, hasToolCalls: boolean): Finish => {
  const mapped = finishReasonOf(dialectId, word) ?? 'other'
  const reason = hasToolCalls && mapped === 'stop' ? 'tools' : mapped
  return finishWords[reason][dialectId] === word
    ? { reason }
    : { reason, unknownFields: { dialect: dialectId, fields: { finish_reason: word } } }
}

export const encodeFinish = (
  { reason, sequence, unknownFields }: Finish,
  warnings: WarningCollector,
): string => {
  if (sequence !== undefined) warnings.warnDropped('stop_sequence')
  warnings.warnForeignFields(unknownFields)
  const word = ownFields(unknownFields, dialectId)?.finish_reason
  return typeof word === 'string' ? word : finishWords[reason][dialectId]
}

export const hasToolCalls = (parts: readonly Part[]): boolean =>
  parts.some(part => part.type === 'tool-call')
