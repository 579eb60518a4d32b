import type { Message, Part } from '../../canon.ts'

/**
 * Joins consecutive model turns. The official client keeps each stream chunk as a turn; other vendors expect one turn
 * and reject empty ones.
 */
export const joinChunks = (messages: readonly Message[]): Message[] => {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (isPlain(message) && last && isPlain(last)) {
      const parts = message.parts.reduce(add, last.parts)
      joined[joined.length - 1] = { ...last, parts }
    } else joined.push(message)
  }
  return joined
}

const isPlain = ({ role, unknownFields }: Message): boolean =>
  role === 'assistant' && !unknownFields

/** A signed part stays separate, because its signature covers exactly its text. */
const add = (parts: Part[], part: Part): Part[] => {
  const last = parts.at(-1)
  if (part.type !== 'text' && part.type !== 'thinking') return [...parts, part]
  if (part.signature || part.unknownFields) return [...parts, part]
  if (part.text === '') return parts
  if (last?.type !== part.type || last.signature || last.unknownFields) return [...parts, part]
  return [...parts.slice(0, -1), { ...last, text: last.text + part.text }]
}
