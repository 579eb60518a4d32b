import type { Finish, FinishReason, Part } from '../canon.ts'
import { ownFields } from '../unknown-fields.ts'
import type { WarningCollector } from '../warnings.ts'

const dialectId = 'openai-chat'

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
  error: 'error',
}

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-full': 'length',
  tools: 'tool_calls',
  filter: 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  error: 'stop',
  other: 'stop',
}

/** Some vendors send `stop` after a tool call. A client that waits for `tool_calls` would not run the call. */
export const finishOf = (word: string, hasToolCalls: boolean): Finish => {
  const mapped = Object.hasOwn(reasons, word) ? reasons[word]! : 'other'
  const reason = hasToolCalls && mapped === 'stop' ? 'tools' : mapped
  return words[reason] === word
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
  return typeof word === 'string' ? word : words[reason]
}

export const hasToolCalls = (parts: readonly Part[]): boolean =>
  parts.some(part => part.type === 'tool-call')
