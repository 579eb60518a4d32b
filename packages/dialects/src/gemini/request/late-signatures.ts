import type { Message, Part, ThinkingPart } from '../../canon.ts'
import { dialectId } from '../parts.ts'

/**
 * Joins the chunks of a foreign thought with the signature that followed them in an empty part. Histories may keep each
 * chunk as its own turn, but the signature covers the whole thought.
 */
export const withLateSignatures = (messages: readonly Message[]): Message[] => {
  const removed = new Set<Part>()
  let chunks: ThinkingPart[] = []
  for (const { role, parts } of messages) {
    if (role !== 'assistant') chunks = []
    for (const part of parts) {
      if (part.type !== 'thinking') chunks = []
      else if (!part.signature) chunks.push(part)
      else {
        if (part.redacted && part.signature.dialect !== dialectId) join(chunks, part, removed)
        chunks = []
      }
    }
  }
  return messages.flatMap(message => {
    const parts = message.parts.filter(part => !removed.has(part))
    return parts.length > 0 || message.parts.length === 0 ? [{ ...message, parts }] : []
  })
}

const join = (chunks: readonly ThinkingPart[], last: ThinkingPart, removed: Set<Part>): void => {
  const [first, ...others] = chunks
  if (!first) return
  first.text = chunks.map(({ text }) => text).join('')
  first.signature = last.signature
  for (const each of [...others, last]) removed.add(each)
}
