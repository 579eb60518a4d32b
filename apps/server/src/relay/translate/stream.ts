import {
  type ChatEvent,
  type ChatRequest,
  callNamer,
  type Dialect,
  type Emptiness,
  emptinessOfEvent,
  eventMarker,
  type Framing,
  frameReader,
  restoreToolName,
  type StreamObserver,
  type ToolNames,
  type UpstreamDialect,
  type Usage,
} from '@hub/dialects'
import { answerIdFor } from './answer-id.ts'
import { EventMeter } from './event-meter.ts'
import { thoughtsAsText as showThoughts } from './thoughts-as-text.ts'

export type AnswerOptions = {
  wantsUsage: boolean
  /** Seconds since 1970. */
  createdAt: number
  /** The time when the answer has ended, in the same unit. */
  now?(): number
  /** Used where the vendor gives no id: official clients drop the usage of an answer without one. */
  id: string
}

/** A chat between two dialects. */
export type ChatTranslation = {
  /** The caller's. */
  from: Dialect
  /** The upstream's. */
  to: UpstreamDialect
  framing: Framing
  /** The request in canonical form. */
  request: ChatRequest
  /** Replaces the vendor's response id. */
  localId?: string | undefined
  /** The caller gets thoughts as text. */
  thoughtsAsText?: boolean | undefined
  /** Set where the vendor knows tools by other names than the caller. */
  toolNames?: ToolNames | undefined
  /** Stands in all that the gateway invents in the answer. */
  mark: string
  /** Set where the answer is a summary that the caller gets as a compacted conversation: the mark. */
  summaryMark?: string | undefined
}

const nothing: readonly Buffer[] = []

/**
 * Translates a stream into the caller's dialect as it arrives, and observes it like a stream that passes through. The
 * bytes that end the answer are held back until it is charged.
 */
export const translatingObserver = (
  chat: ChatTranslation,
  options: AnswerOptions,
): StreamObserver => {
  const { from, to, request, localId, toolNames, mark } = chat
  const encoder = from.encodeEvents({ request, ...options, summaryMark: chat.summaryMark })
  const marks = { mark, from: from.id, to: to.id }
  const markEvent = eventMarker(marks)
  let out = ''
  let tail = ''
  let isEnding = false
  let isOver = false
  let failure: unknown
  let usage: Usage | 'broken' | undefined
  let emptiness: Emptiness | undefined = 'unfinished'
  let nameCall = callNamer(options.id)
  const meter = new EventMeter(to.audioTokensPerSecond)
  let malformedChunks = 0

  const onEvent = (event: ChatEvent): void => {
    if (event.type === 'failure') {
      const { message, type, code } = event.failure
      // Our decoder reports a missing end this way; the vendor itself reported nothing.
      if (type === 'stream_broken' || code === 'stream_broken') return
      failure = { error: { message, type, code } }
      return
    }
    usage = usageIn(event) ?? usage
    if (event.type === 'start') {
      event.id = localId ?? answerIdFor(from, event.id || options.id, marks)
      // Some vendors do not name the model in the answer.
      event.model ||= request.model
      nameCall = callNamer(event.id)
    } else if (event.type === 'part') nameCall(event.choice ?? 0, event.part)
    if (emptiness !== undefined) {
      const found = emptinessOfEvent(event)
      if (found !== 'unfinished') emptiness = found
    }
    meter.add(event)
    // With several choices one may finish while another continues.
    if (event.type === 'end' || (event.type === 'finish' && (request.n ?? 1) === 1)) isEnding = true
    if (event.type === 'end') isOver = true
    let text = ''
    for (const each of markEvent(toolNames ? restoreToolName(event, toolNames) : event))
      text += encoder.push(each)
    if (isEnding) tail += text
    else out += text
  }
  const decoder = to.decodeFrames(chat.thoughtsAsText ? showThoughts(onEvent) : onEvent)
  const reader = frameReader(chat.framing, (data, event) => decoder.pushFrame(data, event))
  return {
    push: chunk => {
      if (isOver || failure !== undefined) return nothing
      if (!reader.push(chunk)) malformedChunks++
      if (out === '') return nothing
      const bytes = Buffer.from(out)
      out = ''
      return [bytes]
    },
    end: () => {
      if (!isOver) {
        reader.end()
        decoder.end()
      }
      return isOver && failure === undefined
    },
    isClosed: () => isOver,
    mayBeComplete: () => decoder.mayBeComplete(),
    tail: () => Buffer.from(out + tail),
    meteredTokens: () => meter.tokens(),
    audioTokens: () => meter.audioTokens(),
    tools: () => decoder.tools?.() ?? {},
    emptiness: () => emptiness,
    answerTokens: () => meter.answerTokens(),
    usage: () => usage,
    failure: () => failure,
    malformedFrames: () => decoder.malformedFrames() + malformedChunks,
    warnings: () => encoder.warnings,
  }
}

const usageIn = (event: ChatEvent): Usage | 'broken' | undefined =>
  event.type === 'usage' || event.type === 'start' ? event.reportedUsage?.usage : undefined
