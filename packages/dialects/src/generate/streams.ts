import type { ChatEvent, ChatReply } from '../canon.ts'
import { addEvent, emptyReply } from '../collect.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import type { Framing } from '../framing/frame-reader.ts'
import { frameReader } from '../framing/index.ts'

/** What a stream says: its events, their sum, and what was no frame. */
export type DecodedStream = {
  events: ChatEvent[]
  reply: ChatReply
  last: ChatEvent['type'] | ''
  malformedFrames: number
}

export const decodeStream = (
  dialect: Pick<UpstreamDialect, 'decodeFrames'>,
  chunks: Iterable<Buffer>,
  framing: Framing = 'sse',
): DecodedStream => {
  const heard: DecodedStream = { events: [], reply: emptyReply(), last: '', malformedFrames: 0 }
  const decoder = dialect.decodeFrames(event => {
    heard.events.push(event)
    addEvent(heard.reply, event)
    heard.last = event.type
  })
  const reader = frameReader(framing, (data, event) => decoder.pushFrame(data, event))
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  decoder.end()
  return { ...heard, malformedFrames: decoder.malformedFrames() }
}

/** The same events as bytes of a dialect's stream. */
export const encodeStream = (dialect: Dialect, events: readonly ChatEvent[]): Buffer => {
  const encoder = dialect.encodeEvents({ wantsUsage: true, createdAt: 1_700_000_000 })
  return Buffer.from(events.map(event => encoder.push(event)).join(''))
}

export function* singleBytes(stream: Buffer): Generator<Buffer> {
  for (let at = 0; at < stream.length; at += 1) yield stream.subarray(at, at + 1)
}

/** Places in `before` whose value is not in `after`: what was lost on the way. Null and empty say nothing. */
export const missingPaths = (before: unknown, after: unknown, path = ''): string[] => {
  if (before === null || before === undefined) return []
  if (typeof before !== 'object') return before === '' || before === after ? [] : [path]
  const rest = (after ?? {}) as Record<string, unknown>
  return Object.entries(before).flatMap(([key, value]) =>
    missingPaths(value, rest[key], `${path}.${key}`),
  )
}
