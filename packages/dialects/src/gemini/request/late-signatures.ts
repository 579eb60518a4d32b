import type { Message, Part, ThinkingPart } from '../../canon.ts'
import { own } from '../parts.ts'

/**
 * A stream tells another vendor's thought in pieces, and behind the last of them its proof, in a part without words. A
 * history that keeps them as they came, perhaps each as a turn, means one thought: what was signed is the whole of it.
 */
export const withLateProofs = (messages: readonly Message[]): Message[] => {
  const gone = new Set<Part>()
  let pieces: ThinkingPart[] = []
  for (const { role, parts } of messages) {
    if (role !== 'assistant') pieces = []
    for (const part of parts) {
      if (part.type !== 'thinking') pieces = []
      else if (!part.proof) pieces.push(part)
      else {
        if (part.redacted && part.proof.by !== own) join(pieces, part, gone)
        pieces = []
      }
    }
  }
  return messages.flatMap(message => {
    const parts = message.parts.filter(part => !gone.has(part))
    return parts.length > 0 || message.parts.length === 0 ? [{ ...message, parts }] : []
  })
}

const join = (pieces: readonly ThinkingPart[], late: ThinkingPart, gone: Set<Part>): void => {
  const [first, ...others] = pieces
  if (!first) return
  first.text = pieces.map(({ text }) => text).join('')
  first.proof = late.proof
  for (const each of [...others, late]) gone.add(each)
}
