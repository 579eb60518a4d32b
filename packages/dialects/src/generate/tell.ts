import type { ChatEvent, ChatReply, Part } from '../canon.ts'
import type { Dice } from './dice.ts'

/** The same reply told slowly: its texts, inputs, proofs and citations in pieces. */
export const tell = (reply: ChatReply, dice: Dice): ChatEvent[] => {
  const { choices, reported, ...facts } = reply
  const events: ChatEvent[] = [{ type: 'start', ...facts }]
  const told = choices.map(({ parts, extra }, at) => {
    const choice = at === 0 ? {} : { choice: at }
    const mine = parts.flatMap((part, index) => tellPart({ ...choice, index }, part, dice))
    return extra ? [...mine, { type: 'extra', choice: at, extra } as const] : mine
  })
  // Answers of one stream come in turns; each is in its own order.
  while (told.some(each => each.length > 0)) {
    const open = told.filter(each => each.length > 0)
    events.push(dice.pick(open).shift()!)
  }
  if (reported && dice.chance(2)) events.push({ type: 'usage', reported })
  for (const [at, { finish }] of choices.entries())
    if (finish) events.push({ type: 'finish', ...(at === 0 ? {} : { choice: at }), finish })
  if (reported) events.push({ type: 'usage', reported })
  events.push({ type: 'end' })
  return events
}

type Place = { choice?: number; index: number }

const tellPart = (place: Place, part: Part, dice: Dice): ChatEvent[] => {
  if (dice.chance(4)) return [{ type: 'part', ...place, part }]
  switch (part.type) {
    case 'text': {
      const { citations = [], logprobs, ...rest } = part
      if (logprobs) return [{ type: 'part', ...place, part }]
      return [
        { type: 'part', ...place, part: { ...rest, text: '' } },
        ...deltas(place, part.text, dice),
        ...citations.map(citation => ({ type: 'citation', ...place, citation }) as const),
      ]
    }
    case 'thinking': {
      const { proof, ...rest } = part
      if (part.redacted) return [{ type: 'part', ...place, part }]
      return [
        { type: 'part', ...place, part: { ...rest, text: '' } },
        ...deltas(place, part.text, dice),
        ...(proof ? [{ type: 'proof', ...place, proof } as const] : []),
      ]
    }
    case 'tool-call':
      return [
        { type: 'part', ...place, part: { ...part, input: '' } },
        ...deltas(place, part.input, dice),
      ]
    default:
      return [{ type: 'part', ...place, part }]
  }
}

const deltas = (place: Place, text: string, dice: Dice): ChatEvent[] =>
  piecesOf(text, dice).map(piece => ({ type: 'delta', ...place, text: piece }))

/** Cut between characters, never inside a pair that makes one. */
const piecesOf = (text: string, dice: Dice): string[] => {
  const characters = [...text]
  const pieces: string[] = []
  for (let at = 0; at < characters.length; ) {
    const size = 1 + dice.upTo(11)
    pieces.push(characters.slice(at, at + size).join(''))
    at += size
  }
  return pieces
}
