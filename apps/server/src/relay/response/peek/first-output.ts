import { Fault } from '@hub/contract'
import type { StreamObserver } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import { timers } from '../../../core/timers.ts'
import { eachFrames } from '../../../lib/http/frames.ts'
import type { Timer } from '../../../lib/time/timers.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { isRefusedEmpty } from '../../tries/empty-answer.ts'
import { contentTypeOf, isJson } from '../../upstream/fetch-small.ts'
import type { Answer, Reader } from '../../upstream/send.ts'
import type { BegunStream, Undelivered } from '../delivery.ts'
import { makeObserver } from '../stream.ts'

/** Whole JSON in answer to a stream request is an error under status 200, or a vendor that ignores `stream`. */
export const isStreamed = ({ parsed }: CallContext, answer: Answer): boolean =>
  parsed.stream && !isJson(contentTypeOf(answer))

/** An opening without output is delivered once it has this size, or lasts this long. */
const openingMax = 64 * 1024
const openingMs = 2_000

type PeekOptions = {
  /** False: the first event decides, because a failure after it would be final anyway. */
  awaitsOutput: boolean
  /** Says whether a failure now would leave the call another attempt. */
  canTryAnother(): boolean
  /** Set in a hedged start, where comments do not count as events. */
  onEvent?(): void
}

type OpenedAnswer = { attempt: Attempt; answer: Answer }
type Peeked = { ok: true; answer: Answer; begun?: BegunStream | undefined } | Undelivered

/**
 * Reads an answer until its first output, or the first byte of a whole answer, so that a failure before that leaves the
 * caller without a byte. The delivery goes on with the same observer, and reads only what follows.
 */
export const peekAnswer = (
  app: App,
  context: CallContext,
  opened: OpenedAnswer,
  options: PeekOptions,
): Promise<Peeked> =>
  new Promise(resolve => new AnswerPeek(app, context, { opened, options, resolve }).start())

type PeekParts = {
  opened: OpenedAnswer
  options: PeekOptions
  resolve(peeked: Peeked): void
}

class AnswerPeek implements Reader {
  private readonly app: App
  private readonly context: CallContext
  private readonly answer: Answer
  private readonly options: PeekOptions
  private readonly resolve: PeekParts['resolve']
  /** Undefined for a whole answer. */
  private readonly observer: StreamObserver | undefined
  private readonly hasData: ReturnType<typeof dataDetector>
  /** Bytes of the opening that the observer lets through. */
  private readonly parts: Buffer[] = []
  /** Chunks for the reader of the delivery. */
  private kept: Buffer[] = []
  private size = 0
  private hasEvent = false
  private isDecided = false
  private timer: Timer | undefined
  private next: Reader | undefined
  private ended: Fault | 'end' | undefined

  constructor(app: App, context: CallContext, { opened, options, resolve }: PeekParts) {
    const { attempt, answer } = opened
    this.app = app
    this.context = context
    this.answer = answer
    this.options = options
    this.resolve = resolve
    this.observer = isStreamed(context, answer) ? makeObserver(app, context, attempt) : undefined
    this.hasData = dataDetector(attempt)
  }

  start() {
    // It stays set, because an answer may lose a hedged start after its first output too.
    this.context.abort.onAbort = reason =>
      this.fail(new Fault('upstream.broken', { detail: reason }))
    if (this.context.abort.reason) this.context.abort.onAbort(this.context.abort.reason)
    else this.answer.read(this)
  }

  /** The delivery checks what follows the first output of a burst, so that no more of it is observed here. */
  data(chunk: Buffer) {
    if (this.next) this.next.data(chunk)
    else eachFrames(chunk, piece => this.take(piece))
  }

  private take(chunk: Buffer) {
    if (this.isDecided) return void this.kept.push(chunk)
    this.size += chunk.length
    const { observer } = this
    if (observer) return this.observe(observer, chunk)
    this.kept.push(chunk)
    if (hasText(chunk) || this.size > openingMax) this.decide()
  }

  end() {
    if (this.next) return this.next.end()
    this.ended = 'end'
    if (this.isDecided) return
    const { observer } = this
    if (!observer)
      return this.fail(new Fault('upstream.broken', { detail: 'ended without an event' }))
    const isComplete = observer.end?.() ?? false
    const failure = observer.failure()
    if (failure !== undefined) this.fail(new Fault('upstream.failed'), failure)
    else if (isComplete) this.onComplete(observer)
    else this.fail(new Fault('upstream.broken', { detail: 'ended without its closing frame' }))
  }

  broke(fault: Fault) {
    if (this.next) this.next.broke(fault)
    else if (this.isDecided) this.ended = fault
    // The vendor has told why the request fails, as another one would.
    else if (this.observer?.requestFailure?.() !== undefined) this.end()
    else this.fail(fault)
  }

  private observe(observer: StreamObserver, chunk: Buffer) {
    const { awaitsOutput, onEvent } = this.options
    const parts = observer.push(chunk)
    this.parts.push(...parts)
    const failure = observer.failure()
    if (failure !== undefined) return this.fail(new Fault('upstream.failed'), failure)
    if (this.hasData(chunk) && !this.hasEvent && (parts.length > 0 || observer.isClosed())) {
      this.hasEvent = true
      onEvent?.()
    }
    if (observer.isClosed()) return this.onComplete(observer)
    const emptiness = observer.emptiness?.()
    const isAwaited = awaitsOutput && observer.emptiness !== undefined && emptiness !== undefined
    if ((this.hasEvent && !isAwaited) || this.size > openingMax) return this.decide()
    // A second channel of a hedged start is asked later than comments come.
    const hasOpened = onEvent ? this.hasEvent : this.parts.length > 0
    if (awaitsOutput && hasOpened)
      this.timer ??= timers(this.app).start(openingMs, () => this.decide())
  }

  private onComplete(observer: StreamObserver) {
    const { app, context, options } = this
    const emptiness = observer.emptiness?.()
    if (emptiness && isRefusedEmpty(app, context, emptiness, options.canTryAnother))
      this.fail(new Fault('upstream.empty'))
    else this.decide()
  }

  private decide() {
    const { app, answer, observer, parts } = this
    if (this.isDecided) return
    this.isDecided = true
    if (this.timer) timers(app).stop(this.timer)
    this.resolve({
      ok: true,
      answer: { ...answer, read: next => this.read(next), drop: () => this.drop() },
      begun: observer && { observer, parts },
    })
  }

  private fail(fault: Fault, failure?: unknown) {
    if (this.timer) timers(this.app).stop(this.timer)
    this.isDecided = true
    this.drop()
    const { observer } = this
    const seen = observer && {
      reported: observer.usage(),
      metered: observer.meteredTokens(),
      isFinal: observer.isClosed(),
    }
    this.resolve({ ok: false, fault, seen, ...(failure === undefined ? {} : { failure }) })
  }

  private read(next: Reader) {
    const { kept } = this
    this.kept = []
    this.next = next
    // The reader may drop the answer, or another one may take over, while it reads.
    for (const chunk of kept) this.next?.data(chunk)
    if (this.ended === 'end') this.next?.end()
    else if (this.ended) this.next?.broke(this.ended)
  }

  private drop() {
    this.next = undefined
    this.answer.drop()
  }
}

const blank = /^\s*$/

const hasText = (chunk: Buffer): boolean => !blank.test(chunk.toString('latin1'))

/** Server-sent events may begin with comments: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
const dataDetector = ({ endpoint }: Attempt) => {
  let hasData = endpoint.framing !== 'sse'
  let line = ''
  return (chunk: Buffer): boolean => {
    if (hasData) return true
    const text = line + chunk.toString('latin1')
    hasData = /(^|[\r\n])data:/.test(text)
    line = text.slice(-'\ndata:'.length)
    return hasData
  }
}
