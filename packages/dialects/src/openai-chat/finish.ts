import type { Finish, FinishReason, Part } from '../canon.ts'
import { ownFields } from '../unknown-fields.ts'
import type { WarningCollector } from '../warnings.ts'

const own = 'openai-chat'

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

/** Some vendors say `stop` behind a call: what stops is the turn, and a caller that waits for the word would not call. */
export const finishOf = (word: string, hasToolCalls: boolean): Finish => {
  const said = Object.hasOwn(reasons, word) ? reasons[word]! : 'other'
  const reason = hasToolCalls && said === 'stop' ? 'tools' : said
  return words[reason] === word
    ? { reason }
    : { reason, unknownFields: { dialect: own, fields: { finish_reason: word } } }
}

export const encodeFinish = (
  { reason, sequence, unknownFields }: Finish,
  warnings: WarningCollector,
): string => {
  if (sequence !== undefined) warnings.warnDropped('stop_sequence')
  warnings.warnForeignFields(unknownFields)
  const word = ownFields(unknownFields, own)?.finish_reason
  return typeof word === 'string' ? word : words[reason]
}

export const hasToolCalls = (parts: readonly Part[]): boolean =>
  parts.some(part => part.type === 'tool-call')
