import type { ChatEvent, ChatReply } from '../canon.ts'
import { absorb, emptyReply } from '../collect.ts'
import type { Dialect, Upstream } from '../dialect.ts'
import { type Framing, frameReader } from '../frames.ts'

/** What a stream says: its events, their sum, and what was no frame. */
export type Heard = {
  events: ChatEvent[]
  reply: ChatReply
  last: ChatEvent['type'] | ''
  garbage: number
}

export const hearStream = (
  dialect: Pick<Upstream, 'decodeFrames'>,
  chunks: Iterable<Buffer>,
  framing: Framing = 'sse',
): Heard => {
  const heard: Heard = { events: [], reply: emptyReply(), last: '', garbage: 0 }
  const decoder = dialect.decodeFrames(event => {
    heard.events.push(event)
    absorb(heard.reply, event)
    heard.last = event.type
  })
  const reader = frameReader(framing, (data, event) => decoder.frame(data, event))
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  decoder.close()
  return { ...heard, garbage: decoder.garbage() }
}

/** The same events as bytes of a dialect's stream. */
export const tellStream = (dialect: Dialect, events: readonly ChatEvent[]): Buffer => {
  const encoder = dialect.encodeEvents({ wantsUsage: true, createdAt: 1_700_000_000 })
  return Buffer.from(events.map(event => encoder.push(event)).join(''))
}

export function* bytesOf(stream: Buffer): Generator<Buffer> {
  for (let at = 0; at < stream.length; at += 1) yield stream.subarray(at, at + 1)
}

/** Places in `before` whose value is not in `after`: what was lost on the way. Null and empty say nothing. */
export const lostIn = (before: unknown, after: unknown, path = ''): string[] => {
  if (before === null || before === undefined) return []
  if (typeof before !== 'object') return before === '' || before === after ? [] : [path]
  const rest = (after ?? {}) as Record<string, unknown>
  return Object.entries(before).flatMap(([key, value]) =>
    lostIn(value, rest[key], `${path}.${key}`),
  )
}
