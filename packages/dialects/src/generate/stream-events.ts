import fc, { type Arbitrary } from 'fast-check'
import type { ChatAnswer, ChatEvent, Choice, Part } from '../canon.ts'
import { list } from './values.ts'

type PartPosition = { choice?: number; index: number }

/** Events of an answer, with its texts, inputs, signatures and citations in pieces and its choices interleaved. */
export const streamEvents = (answer: ChatAnswer): Arbitrary<ChatEvent[]> => {
  const { choices, reportedUsage, ...head } = answer
  const start: ChatEvent = { type: 'start', ...head }
  return fc
    .tuple(
      fc.tuple(...choices.map(choiceEvents)),
      list(1, 40, fc.nat(choices.length)),
      fc.boolean(),
    )
    .map(([events, order, repeatsUsage]) => [
      start,
      ...interleaved(events, order),
      ...(reportedUsage && repeatsUsage ? [{ type: 'usage', reportedUsage } as const] : []),
      ...finishEvents(choices),
      ...(reportedUsage ? [{ type: 'usage', reportedUsage } as const] : []),
      { type: 'end' },
    ])
}

const choiceEvents = ({ parts, unknownFields }: Choice, at: number): Arbitrary<ChatEvent[]> => {
  const position = at === 0 ? {} : { choice: at }
  return fc
    .tuple(...parts.map((part, index) => partEvents({ ...position, index }, part)))
    .map(events =>
      unknownFields
        ? [...events.flat(), { type: 'unknown-fields', choice: at, unknownFields }]
        : events.flat(),
    )
}

/** Keeps the order within each list; `order` is repeated as often as needed. */
const interleaved = (lists: readonly ChatEvent[][], order: readonly number[]): ChatEvent[] => {
  const merged: ChatEvent[] = []
  const positions = lists.map(() => 0)
  for (let step = 0; ; step += 1) {
    const open = lists.flatMap((events, at) => (positions[at]! < events.length ? [at] : []))
    if (open.length === 0) return merged
    const at = open[order[step % order.length]! % open.length]!
    merged.push(lists[at]![positions[at]!]!)
    positions[at]! += 1
  }
}

const finishEvents = (choices: readonly Choice[]): ChatEvent[] =>
  choices.flatMap(({ finish }, at): ChatEvent[] =>
    finish ? [{ type: 'finish', ...(at === 0 ? {} : { choice: at }), finish }] : [],
  )

const partEvents = (position: PartPosition, part: Part): Arbitrary<ChatEvent[]> => {
  const whole: Arbitrary<ChatEvent[]> = fc.constant([{ type: 'part', ...position, part }])
  const pieces = partPieces(position, part)
  if (!pieces) return whole
  return fc.oneof({ weight: 1, arbitrary: whole }, { weight: 3, arbitrary: pieces })
}

/** Returns undefined for a part that is never streamed in pieces. */
const partPieces = (position: PartPosition, part: Part): Arbitrary<ChatEvent[]> | undefined => {
  switch (part.type) {
    case 'text': {
      const { citations = [], logprobs, ...rest } = part
      if (logprobs) return undefined
      return deltas(position, part.text).map(events => [
        { type: 'part', ...position, part: { ...rest, text: '' } },
        ...events,
        ...citations.map(citation => ({ type: 'citation', ...position, citation }) as const),
      ])
    }
    case 'thinking': {
      const { signature, ...rest } = part
      if (part.redacted) return undefined
      return deltas(position, part.text).map(events => [
        { type: 'part', ...position, part: { ...rest, text: '' } },
        ...events,
        ...(signature ? [{ type: 'signature', ...position, signature } as const] : []),
      ])
    }
    case 'tool-call':
      return deltas(position, part.input).map(events => [
        { type: 'part', ...position, part: { ...part, input: '' } },
        ...events,
      ])
    default:
      return undefined
  }
}

const pieceLengths = list(1, 20, fc.integer({ min: 1, max: 12 }))

/** Cuts the text between characters, never inside a surrogate pair. */
const deltas = (position: PartPosition, text: string): Arbitrary<ChatEvent[]> =>
  pieceLengths.map(lengths => {
    const characters = [...text]
    const events: ChatEvent[] = []
    let from = 0
    for (let piece = 0; from < characters.length; piece += 1) {
      const to = from + lengths[piece % lengths.length]!
      events.push({ type: 'delta', ...position, text: characters.slice(from, to).join('') })
      from = to
    }
    return events
  })
