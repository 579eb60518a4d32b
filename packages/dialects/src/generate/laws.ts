import { isDeepStrictEqual } from 'node:util'
import type { ChatEvent, ChatReply, ChatRequest, Choice, Part } from '../canon.ts'
import { absorb, emptyReply } from '../collect.ts'
import type { Dialect, Manner } from '../dialect.ts'
import { frameReader } from '../frames.ts'
import { type Dice, diceOf } from './dice.ts'
import { withNoise } from './noise.ts'
import { tell } from './tell.ts'

/** What a dialect brings to the laws of translation: requests and replies in the form in which it reads them. */
export type Makes = {
  makeRequest(dice: Dice): ChatRequest
  makeReply(dice: Dice): ChatReply
  /** How its streams are told, where that needs more than the reply. */
  manner?: Manner
  /** Bytes of its stream, with its own framing undone; absent: server-sent events. */
  frames?(onFrame: (data: string, event: string) => void): {
    push(chunk: Buffer): boolean
    end(): void
  }
}

/** Undefined where the law holds; else both sides. */
export type Broken = { expected: unknown; actual: unknown } | undefined

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const compare = (expected: unknown, actual: unknown): Broken =>
  isDeepStrictEqual(expected, actual) ? undefined : { expected, actual }

export const checkRequest = (dialect: Dialect, request: ChatRequest): Broken => {
  const { body, notes } = dialect.encodeRequest(request)
  const named = { model: request.model, stream: request.stream ?? false }
  const read = dialect.decodeRequest(wire(body), named)
  const actual = read.ok ? { ...read, request: plainRequest(read.request) } : read
  return compare({ ok: true, request: plainRequest(request), notes: [] }, { ...actual, notes })
}

export const checkReply = (dialect: Dialect, reply: ChatReply, manner?: Manner): Broken => {
  const { body, notes } = dialect.encodeReply(reply, manner)
  return compare(
    { reply: plain(reply), notes: [] },
    { reply: plain(dialect.decodeReply(wire(body))), notes },
  )
}

/** The bytes of a stream, and what they must come to. */
const write = (
  dialect: Dialect,
  manner: Manner | undefined,
  reply: ChatReply,
  events: readonly ChatEvent[],
) => {
  const encoder = dialect.encodeEvents({ wantsUsage: true, ...manner })
  const bytes = Buffer.from(events.map(event => encoder.push(event)).join(''))
  const expected = { reply: plain(reply), notes: [], last: 'end', garbage: 0 }
  return { bytes, notes: encoder.notes, expected }
}

export const checkStream = (
  dialect: Dialect,
  { manner, frames }: Pick<Makes, 'manner' | 'frames'>,
  reply: ChatReply,
  dice: Dice,
): Broken => {
  const { bytes, notes, expected } = write(dialect, manner, reply, tell(reply, dice))
  const five = Array.from({ length: 5 }, () => dice.upTo(bytes.length))
  return compare(expected, { ...hear(dialect, cut(bytes, five), frames), notes })
}

/** What the bytes of a stream come to. */
const hear = (dialect: Dialect, chunks: readonly Buffer[], frames: Makes['frames']) => {
  const reply = emptyReply()
  let last = ''
  const decoder = dialect.decodeFrames(event => {
    absorb(reply, event)
    last = event.type
  })
  const onFrame = (data: string, event: string): void => decoder.frame(data, event)
  const reader = frames ? frames(onFrame) : frameReader('sse', onFrame)
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  decoder.close()
  return { reply: plain(reply), last, garbage: decoder.garbage() }
}

const cut = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const sorted = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}

/** One generated case of each kind, by its seed; streams are cut at five places. */
export const checkCase = (dialect: Dialect, makes: Makes, seed: number): Broken => {
  const dice = diceOf(seed)
  const request = checkRequest(dialect, makes.makeRequest(dice))
  if (request) return request
  const reply = makes.makeReply(dice)
  return checkReply(dialect, reply, makes.manner) ?? checkStream(dialect, makes, reply, dice)
}

/** One generated stream, cut in two at every byte: for the soak. */
export const checkEveryCut = (dialect: Dialect, makes: Makes, seed: number): Broken => {
  const dice = diceOf(seed)
  const reply = makes.makeReply(dice)
  const { bytes, notes, expected } = write(dialect, makes.manner, reply, tell(reply, dice))
  for (let at = 0; at <= bytes.length; at += 1) {
    const heard = hear(dialect, cut(bytes, [at]), makes.frames)
    const broken = compare(expected, { ...heard, notes })
    if (broken) return broken
  }
  return undefined
}

/** What is not as it should be is refused, left out or carried on; it throws nothing, in no dialect. */
export const checkNoise = (
  from: Dialect,
  to: readonly Dialect[],
  makes: Makes,
  seed: number,
): void => {
  const dice = diceOf(seed)
  const request = makes.makeRequest(dice)
  const named = { model: request.model, stream: false }
  const asked = from.decodeRequest(withNoise(wire(from.encodeRequest(request).body), dice), named)
  const reply = makes.makeReply(dice)
  const answered = from.decodeReply(withNoise(wire(from.encodeReply(reply).body), dice))
  const encoder = from.encodeEvents({ wantsUsage: true })
  const stream = tell(reply, dice).map(event => encoder.push(event))
  const events: ChatEvent[] = []
  const decoder = from.decodeFrames(event => events.push(event))
  const reader = frameReader('sse', (data, event) => {
    const noisy = dice.chance(4) && data.startsWith('{')
    decoder.frame(noisy ? JSON.stringify(withNoise(JSON.parse(data), dice)) : data, event)
  })
  reader.push(Buffer.from(stream.join('')))
  decoder.close()
  for (const dialect of to) {
    if (asked.ok) dialect.encodeRequest(asked.request)
    dialect.encodeReply(answered)
    const again = dialect.encodeEvents()
    for (const event of events) again.push(event)
  }
}

/** Without what a dialect keeps for itself beside its meaning: its own usage object and its own citations. */
const plain = ({ reported, choices, ...facts }: ChatReply) => ({
  ...facts,
  choices: choices.map(plainChoice),
  usage: reported?.usage,
})

const plainRequest = ({ messages, ...facts }: ChatRequest) => ({
  ...facts,
  messages: messages.map(({ parts, ...rest }) => ({ ...rest, parts: parts.map(plainPart) })),
})

const plainChoice = ({ parts, ...rest }: Choice) => ({ ...rest, parts: parts.map(plainPart) })

const plainPart = (part: Part): Part =>
  part.type === 'text' && part.citations
    ? { ...part, citations: part.citations.map(({ raw, ...citation }) => citation) }
    : part
