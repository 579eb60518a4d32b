import type { Message, Part } from '../../canon.ts'

/**
 * The official client's chats keep each chunk of a stream as a turn of its own; many vendors want one answer there, and
 * refuse turns without words.
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

const isPlain = ({ role, extra }: Message): boolean => role === 'assistant' && !extra

/** What is signed stays a part of its own: nothing may be added to it. */
const add = (parts: Part[], part: Part): Part[] => {
  const last = parts.at(-1)
  if (part.type !== 'text' && part.type !== 'thinking') return [...parts, part]
  if (part.proof || part.extra) return [...parts, part]
  if (part.text === '') return parts
  if (last?.type !== part.type || last.proof || last.extra) return [...parts, part]
  return [...parts.slice(0, -1), { ...last, text: last.text + part.text }]
}
