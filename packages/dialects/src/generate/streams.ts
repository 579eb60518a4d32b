import type { ChatAnswer, ChatEvent } from '../canon.ts'
import { addEvent, emptyAnswer } from '../collect.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import type { Framing } from '../framing/frame-reader.ts'
import { frameReader } from '../framing/index.ts'

/** A decoded stream: its events, the answer they collect to, and the number of malformed frames. */
export type DecodedStream = {
  events: ChatEvent[]
  answer: ChatAnswer
  last: ChatEvent['type'] | ''
  malformedFrames: number
}

export const decodeStream = (
  dialect: Pick<UpstreamDialect, 'decodeFrames'>,
  chunks: Iterable<Buffer>,
  framing: Framing = 'sse',
): DecodedStream => {
  const decoded: DecodedStream = { events: [], answer: emptyAnswer(), last: '', malformedFrames: 0 }
  const decoder = dialect.decodeFrames(event => {
    decoded.events.push(event)
    addEvent(decoded.answer, event)
    decoded.last = event.type
  })
  const reader = frameReader(framing, (data, event) => decoder.pushFrame(data, event))
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  decoder.end()
  return { ...decoded, malformedFrames: decoder.malformedFrames() }
}

/** Encodes events as the bytes of a stream. */
export const encodeStream = (dialect: Dialect, events: readonly ChatEvent[]): Buffer => {
  const encoder = dialect.encodeEvents({ wantsUsage: true, createdAt: 1_700_000_000 })
  return Buffer.from(events.map(event => encoder.push(event)).join(''))
}

export function* singleBytes(stream: Buffer): Generator<Buffer> {
  for (let at = 0; at < stream.length; at += 1) yield stream.subarray(at, at + 1)
}

/** Paths whose value in `before` is missing in `after`. Null and empty strings do not count. */
export const missingPaths = (before: unknown, after: unknown, path = ''): string[] => {
  if (before === null || before === undefined) return []
  if (typeof before !== 'object') return before === '' || before === after ? [] : [path]
  const rest = (after ?? {}) as Record<string, unknown>
  return Object.entries(before).flatMap(([key, value]) =>
    missingPaths(value, rest[key], `${path}.${key}`),
  )
}
