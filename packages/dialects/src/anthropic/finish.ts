import type { Finish, FinishReason } from '../canon.ts'
import { ownFields } from '../extra.ts'

const own = 'anthropic'

// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tools',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context-full',
}

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  tools: 'tool_use',
  pause: 'pause_turn',
  refusal: 'refusal',
  filter: 'refusal',
  'context-full': 'model_context_window_exceeded',
  error: 'end_turn',
  other: 'end_turn',
}

export const finishOf = (word: string, sequence: unknown): Finish => {
  const isKnown = Object.hasOwn(reasons, word)
  return {
    reason: isKnown ? reasons[word]! : 'other',
    ...(typeof sequence === 'string' ? { sequence } : {}),
    ...(isKnown ? {} : { extra: { dialect: own, fields: { stop_reason: word } } }),
  }
}

/** `isRefusal`: the words are the model's "no", which only this reason says. */
export const wordOf = ({ reason, extra }: Finish, isRefusal: boolean): string => {
  const word = ownFields(extra, own)?.stop_reason
  if (typeof word === 'string') return word
  return isRefusal && reason === 'stop' ? 'refusal' : words[reason]
}
