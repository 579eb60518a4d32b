import {
  type ChatEvent,
  type ChatRequest,
  type Dialect,
  type Framing,
  frameReader,
  quartersOfEvent,
  type Tap,
  type Upstream,
  type Usage,
} from '@hub/dialects'

export type Manner = {
  wantsUsage: boolean
  createdAt: number
  /** For an answer that its vendor gave none: official clients lose the figures of one without. */
  id: string
}

/** A chat between two dialects. */
export type Spoken = {
  /** The caller's. */
  from: Dialect
  /** The upstream's. */
  to: Upstream
  framing: Framing
  /** What the caller asked for, in the one form that both can be told in. */
  request: ChatRequest
  /** Of an answer that is ours, whatever its vendor calls it. */
  id?: string | undefined
}

const nothing: readonly Buffer[] = []

/**
 * Tells a stream in the caller's dialect while it comes, and listens like the tap of a stream that passes through. What
 * says that the answer is over is held back until it is charged.
 */
export const translatingTap = (spoken: Spoken, manner: Manner): Tap => {
  const { from, to, framing, request } = spoken
  const encoder = from.encodeEvents({ request, ...manner })
  let out = ''
  let tail = ''
  let isEnding = false
  let isOver = false
  let failure: unknown
  let usage: Usage | 'broken' | undefined
  let quarters = 0
  let oddChunks = 0

  const decoder = to.decodeFrames(event => {
    if (event.type === 'failure') {
      const { message, type, code } = event.failure
      // No word of the vendor's: its answer has no end.
      if (type === 'stream_broken' || code === 'stream_broken') return
      failure = { error: { message, type, code } }
      return
    }
    usage = usageIn(event) ?? usage
    if (event.type === 'start') {
      event.id = spoken.id ?? (event.id || manner.id)
      // Not every vendor says who answered: then it was who was asked.
      event.model ||= request.model
    }
    quarters += quartersOfEvent(event)
    // With several answers one may be finished while another goes on.
    if (event.type === 'end' || (event.type === 'finish' && (request.n ?? 1) === 1)) isEnding = true
    if (event.type === 'end') isOver = true
    const text = encoder.push(event)
    if (isEnding) tail += text
    else out += text
  })
  const reader = frameReader(framing, decoder.frame)

  return {
    push: chunk => {
      if (isOver || failure !== undefined) return nothing
      if (!reader.push(chunk)) oddChunks++
      if (out === '') return nothing
      const bytes = Buffer.from(out)
      out = ''
      return [bytes]
    },
    end: () => {
      if (!isOver) {
        reader.end()
        decoder.close()
      }
      return isOver && failure === undefined
    },
    closed: () => isOver,
    tail: () => Buffer.from(out + tail),
    metered: () => Math.ceil(quarters / 4),
    usage: () => usage,
    failure: () => failure,
    garbage: () => decoder.garbage() + oddChunks,
    notes: () => encoder.notes,
  }
}

const usageIn = (event: ChatEvent): Usage | 'broken' | undefined =>
  event.type === 'usage' || event.type === 'start' ? event.reported?.usage : undefined
