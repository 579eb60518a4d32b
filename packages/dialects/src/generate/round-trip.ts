import { isDeepStrictEqual } from 'node:util'
import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import type { ChatAnswer, ChatEvent, ChatRequest, Choice, Part } from '../canon.ts'
import { addEvent, emptyAnswer } from '../collect.ts'
import type { Dialect, EncodeOptions } from '../dialect.ts'
import { frameReader } from '../framing/index.ts'
import type { Usage } from '../usage.ts'
import { streamEvents } from './stream-events.ts'
import { list, mutated, sometimes } from './values.ts'

/** Requests and answers as the dialect itself decodes them, so that encoding and decoding must return them unchanged. */
export type RoundTripCases = {
  requests: Arbitrary<ChatRequest>
  answers: Arbitrary<ChatAnswer>
  /** Options for encoding streams and answers. */
  options?: EncodeOptions
  /** Reads frames from the bytes of a stream; defaults to server-sent events. */
  frames?(onFrame: (data: string, event: string) => void): {
    push(chunk: Buffer): boolean
    end(): void
  }
}

type Frame = readonly [data: string, event: string]

/** An answer with the events of a stream that collects to it. */
export const streamedAnswers = (
  answers: Arbitrary<ChatAnswer>,
): Arbitrary<{ answer: ChatAnswer; events: ChatEvent[] }> =>
  answers.chain(answer => streamEvents(answer).map(events => ({ answer, events })))

/** Positions at which a stream is cut, as fractions of its length. */
export const cutPositions = list(
  5,
  5,
  fc.nat(0xffff).map(position => position / 0xffff),
)

export const cutAt = (bytes: Buffer, positions: readonly number[]): Buffer[] => {
  const offsets = positions.map(position => Math.round(position * bytes.length))
  const sorted = [0, ...offsets.toSorted((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}

export const checkRequest = (dialect: Dialect, request: ChatRequest): void => {
  const { body, warnings } = dialect.encodeRequest(request)
  const pathParams = { model: request.model, stream: request.stream ?? false }
  const decoded = dialect.decodeRequest(overWire(body), pathParams)
  const actual = decoded.ok ? { ...decoded, request: comparableRequest(decoded.request) } : decoded
  expectSame(
    { ...actual, warnings },
    { ok: true, request: comparableRequest(request), warnings: [] },
  )
}

export const checkAnswer = (
  dialect: Dialect,
  answer: ChatAnswer,
  options?: EncodeOptions,
): void => {
  const { body, warnings } = dialect.encodeResponse(answer, options)
  const decoded = dialect.decodeAnswer(overWire(body))
  expectSame(
    { answer: comparableAnswer(decoded), warnings },
    { answer: comparableAnswer(answer), warnings: [] },
  )
}

/** Checks that the encoded stream, cut in any of the given ways, collects to the answer. */
export const checkStream = (
  dialect: Dialect,
  { options, frames }: Pick<RoundTripCases, 'options' | 'frames'>,
  { answer, events }: { answer: ChatAnswer; events: readonly ChatEvent[] },
  cuts: (bytes: Buffer) => Iterable<Buffer[]>,
): void => {
  const encoder = dialect.encodeEvents({ wantsUsage: true, ...options })
  const bytes = Buffer.from(events.map(event => encoder.push(event)).join(''))
  const { warnings } = encoder
  const expected = {
    ...{ answer: comparableAnswer(answer), warnings: [] },
    ...{ last: 'end', malformedFrames: 0 },
  }
  for (const chunks of cuts(bytes))
    expectSame({ ...decodeChunks(dialect, chunks, frames), warnings }, expected)
}

/** Cuts the bytes in two at every position. */
export function* everyCut(bytes: Buffer): Generator<Buffer[]> {
  for (let at = 0; at <= bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

const decodeChunks = (
  dialect: Dialect,
  chunks: readonly Buffer[],
  frames: RoundTripCases['frames'],
) => {
  const answer = emptyAnswer()
  let last = ''
  const decoder = dialect.decodeFrames(event => {
    addEvent(answer, event)
    last = event.type
  })
  const onFrame = (data: string, event: string): void => decoder.pushFrame(data, event)
  const reader = frames ? frames(onFrame) : frameReader('sse', onFrame)
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  decoder.end()
  return { answer: comparableAnswer(answer), last, malformedFrames: decoder.malformedFrames() }
}

/** Encoded bodies and frames with one mutated place each. */
export type MalformedCase = { request: unknown; answer: unknown; frames: Frame[] }

export const malformedCases = (
  dialect: Dialect,
  { requests, answers }: RoundTripCases,
): Arbitrary<MalformedCase> =>
  fc.tuple(requests, streamedAnswers(answers)).chain(([request, { answer, events }]) => {
    const encoder = dialect.encodeEvents({ wantsUsage: true })
    const bytes = Buffer.from(events.map(event => encoder.push(event)).join(''))
    const frames: Frame[] = []
    frameReader('sse', (data, event) => frames.push([data, event])).push(bytes)
    const mutatedFrames: Arbitrary<Frame>[] = frames.map(([data, event]) =>
      data.startsWith('{')
        ? sometimes(4, mutated(JSON.parse(data))).map(
            frame => [frame === undefined ? data : JSON.stringify(frame), event] as const,
          )
        : fc.constant([data, event] as const),
    )
    return fc
      .tuple(
        mutated(overWire(dialect.encodeRequest(request).body)),
        mutated(overWire(dialect.encodeResponse(answer).body)),
        fc.tuple(...mutatedFrames),
      )
      .map(([request, answer, frames]) => ({ request, answer, frames }))
  })

/** Malformed input is refused, dropped or forwarded, but never throws, in this dialect or translated to another. */
export const checkMalformed = (
  dialect: Dialect,
  targets: readonly Dialect[],
  { request, answer, frames }: MalformedCase,
): void => {
  const decoded = dialect.decodeRequest(request, { model: 'm', stream: false })
  const decodedAnswer = dialect.decodeAnswer(answer)
  const events: ChatEvent[] = []
  const decoder = dialect.decodeFrames(event => events.push(event))
  for (const [data, event] of frames) decoder.pushFrame(data, event)
  decoder.end()
  for (const target of targets) {
    if (decoded.ok) target.encodeRequest(decoded.request)
    target.encodeResponse(decodedAnswer)
    const encoder = target.encodeEvents()
    for (const event of events) encoder.push(event)
  }
}

const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Compares fast; the assertion of vitest, which is slow, only prints the difference. */
const expectSame = (actual: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected)
}

/** Leaves out the copies that a dialect keeps for itself: its usage object and its citations. */
const comparableAnswer = ({ reportedUsage, choices, ...head }: ChatAnswer) => ({
  ...head,
  choices: choices.map(comparableChoice),
  usage: comparableUsage(reportedUsage?.usage),
})

/** An encoder writes the tier of the answer, which the usage repeats. */
const comparableUsage = (usage: Usage | 'broken' | undefined) => {
  if (typeof usage !== 'object') return usage
  const { served, ...counts } = usage
  return counts
}

const comparableRequest = ({ messages, ...params }: ChatRequest) => ({
  ...params,
  messages: messages.map(({ parts, ...rest }) => ({ ...rest, parts: parts.map(comparablePart) })),
})

const comparableChoice = ({ parts, ...rest }: Choice) => ({
  ...rest,
  parts: parts.map(comparablePart),
})

const comparablePart = (part: Part): Part =>
  part.type === 'text' && part.citations
    ? { ...part, citations: part.citations.map(({ raw, ...citation }) => citation) }
    : part
