import { frameReader, type StreamObserver, type Usage } from '@hub/dialects'
import type { DecodeEvent } from '@hub/providers'

type StreamEvent = Record<string, unknown>

const nothing: readonly Buffer[] = []

/**
 * Translates a vendor's events into the caller's as they arrive, and observes them like a stream that passes through.
 * The last event is held back until the answer is charged.
 */
export const translatingEvents = (decodeEvent: DecodeEvent): StreamObserver => {
  let out = ''
  let tail = ''
  let isOver = false
  let failure: unknown
  let usage: Usage | 'broken' | undefined
  let events = 0
  let malformed = 0

  const reader = frameReader('sse', data => {
    if (isOver || failure !== undefined) return
    const event = parseEvent(data)
    const decoded = event && decodeEvent(event)
    if (!decoded) malformed += 1
    else if ('failure' in decoded) failure = decoded.failure
    else {
      events += decoded.events.length
      usage = decoded.usage ?? usage
      isOver = decoded.isLast === true
      const text = decoded.events.map(frameOf)
      if (isOver) tail += text.splice(-1).join('')
      out += text.join('')
    }
  })

  return {
    push: chunk => {
      if (!reader.push(chunk)) malformed += 1
      if (out === '') return nothing
      const bytes = Buffer.from(out)
      out = ''
      return [bytes]
    },
    end: () => {
      if (!isOver) reader.end()
      return isOver && failure === undefined
    },
    isClosed: () => isOver,
    mayBeComplete: () => isOver,
    tail: () => Buffer.from(out + tail),
    // The output counts by events, only to tell whether there was any.
    meteredTokens: () => events,
    usage: () => usage,
    failure: () => failure,
    malformedFrames: () => malformed,
  }
}

const frameOf = (event: StreamEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const parseEvent = (data: string): StreamEvent | undefined => {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? (value as StreamEvent) : undefined
  } catch {
    return undefined
  }
}
