import type { Message, Part } from '../canon.ts'

/**
 * Trims the end of an assistant message that the model shall continue.
 * "final assistant content cannot end with trailing whitespace" https://github.com/langchain-ai/langchain/pull/35072
 */
export const withoutTrailingBlanks = (messages: readonly Message[]): readonly Message[] => {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || !endsWithBlank(last.parts)) return messages
  const parts = trimmed(last.parts)
  return parts.length > 0 ? messages.with(-1, { ...last, parts }) : messages.slice(0, -1)
}

const endsWithBlank = (parts: readonly Part[]): boolean => {
  const end = parts.at(-1)
  return end?.type === 'text' && end.text !== end.text.trimEnd()
}

const trimmed = (parts: Part[]): Part[] => {
  const end = parts.at(-1)
  if (end?.type !== 'text') return parts
  const text = end.text.trimEnd()
  return text === '' ? trimmed(parts.slice(0, -1)) : parts.with(-1, { ...end, text })
}
