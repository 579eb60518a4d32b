import { Fault, type Settings } from '@hub/contract'
import type { StreamObserver } from '@hub/dialects'
import type { Finish } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import { eachFrames } from '../../lib/http/frames.ts'
import type { Timer } from '../../lib/time/timers.ts'
import type { AbortReason } from '../call-state.ts'
import type { RequestContext } from '../context.ts'
import type { Answer, Reader } from '../upstream/send.ts'
import { type BackpressureWriter, makeBackpressureWriter } from './backpressure-writer.ts'
import type { Delivered, StreamHooks, StreamSource } from './delivery.ts'
import type { LeftAnswer } from './left/forwarded.ts'
import { drainUpstream } from './left/read-end.ts'
import { leftAnswerOf, readOn } from './left/read-on.ts'
import { type SharedPause, sharePause } from './shared-pause.ts'
import { beginAnswer, endResponse, errorEvent } from './write.ts'

/** Passes a stream on at the caller's pace. It ends once, and `beforeEnd` runs before the caller can see that end. */
export const writeStream = (
  app: App,
  context: RequestContext,
  source: StreamSource,
): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    new StreamWriter(app, context, source, { resolve, reject }).start(source.opening)
  })

type Settle = { resolve(delivered: Delivered): void; reject(error: unknown): void }

class StreamWriter implements Reader {
  private readonly app: App
  private readonly context: RequestContext
  private readonly answer: Answer
  private readonly observer: StreamObserver
  private readonly hooks: StreamHooks
  private readonly settle: Settle
  private readonly limits: Settings['relay']
  private readonly writer: BackpressureWriter
  /** `starting`: `beforeFirstByte` runs. `open`: the head was written. */
  private phase: 'waiting' | 'starting' | 'open' | 'done' = 'waiting'
  /** Parts that wait for `beforeFirstByte`. */
  private pending: Buffer[] | undefined
  private readonly upstream: SharedPause
  /** Chunks that came while the hold was extended; undefined outside of that. */
  private waiting: Buffer[] | undefined
  /** The upstream's end, where it came while `beforeFirstByte` ran or the hold was extended. */
  private ended: Fault | 'end' | undefined
  /** Output tokens that were written. */
  private delivered = -1
  /** The upstream has sent its first byte. */
  private hasReceived = false
  private hasOutput = false
  private left: LeftAnswer | undefined
  private pingTimer: Timer | undefined
  private totalTimer: Timer | undefined

  constructor(app: App, context: RequestContext, source: StreamSource, settle: Settle) {
    this.app = app
    this.context = context
    this.answer = source.answer
    this.observer = source.observer
    this.hooks = source.hooks
    this.settle = settle
    this.limits = app.settings().relay
    this.upstream = sharePause(source.answer)
    this.writer = makeBackpressureWriter(app, context, this.upstream)
    this.pending = source.hooks.beforeFirstByte ? [] : undefined
  }

  start(opening: readonly Buffer[] | undefined) {
    const { app, context, limits } = this
    context.abort.onAbort = reason => this.abort(reason)
    const longestMs = limits.StreamDurationMaxSeconds * 1_000
    this.totalTimer = timers(app).start(longestMs, () => this.onTooLong())
    if (limits.PingSeconds > 0 && context.dialect.ping !== '' && !this.hooks.headers)
      this.pingTimer = timers(app).start(limits.PingSeconds * 1_000, () => this.onPing())
    if (context.abort.reason) return this.abort(context.abort.reason)
    this.hasReceived = opening !== undefined
    if (opening) this.forward(opening)
    this.startReading()
  }

  private startReading() {
    if (this.phase !== 'done') this.answer.read(this)
  }

  /** A burst is checked frame by frame, so that those before the end of the hold are delivered. */
  data(chunk: Buffer) {
    eachFrames(chunk, part => this.take(part))
  }

  private take(chunk: Buffer) {
    if (this.phase === 'done') return
    this.hasReceived = true
    if (this.waiting) return void this.waiting.push(chunk)
    const parts = this.observer.push(chunk)
    if (this.pending) this.hold(this.pending, parts)
    else this.forward(parts)
  }

  end() {
    if (this.phase === 'done') return
    if (this.phase === 'starting' || this.waiting) {
      this.ended = 'end'
      return
    }
    if (this.pending) return this.abandon(new Fault('upstream.invalid_response'))
    const isComplete = this.observer.end?.() ?? false
    const failure = this.observer.failure()
    if (failure !== undefined) return this.onFailure(failure)
    if (isComplete) return this.complete()
    this.broke(new Fault('upstream.broken', { detail: 'ended without its closing frame' }))
  }

  broke(fault: Fault) {
    if (this.phase === 'done') return
    if (this.phase === 'starting' || this.waiting) this.ended = fault
    // The vendor has told why the request fails, and nothing more is wanted of it.
    else if (this.observer.requestFailure?.() && this.observer.end?.()) this.complete()
    else if (this.phase === 'open') this.finish('upstream-broke', fault)
    else this.abandon(fault)
  }

  private forward(parts: readonly Buffer[]) {
    const metered = this.observer.meteredTokens()
    if (!this.hooks.onProgress || metered === this.delivered) return this.pass(parts)
    const progress = this.hooks.onProgress(metered)
    if (progress instanceof Fault) return this.finish('cut', progress)
    if (progress !== 'go') return this.waitForHold(progress, parts)
    this.delivered = metered
    this.pass(parts)
  }

  /** Writes parts that the hold covers. */
  private pass(parts: readonly Buffer[]) {
    const failure = this.observer.failure()
    // Parts before an error are delivered too; before the first byte another channel may be tried instead.
    if (failure === undefined || this.phase === 'open') for (const part of parts) this.write(part)
    if (failure !== undefined) return this.onFailure(failure)
    if (parts.length > 0) this.restartPing()
    this.hasOutput ||= parts.length > 0
    if (this.observer.isClosed()) this.complete()
  }

  /** Reads nothing more while the ledger extends the hold: a slow ledger makes a stream slow, and never ends it. */
  private waitForHold(extension: Promise<void>, parts: readonly Buffer[]) {
    this.waiting = []
    this.upstream.pause()
    void extension.then(() => {
      const { waiting = [] } = this
      this.waiting = undefined
      if (this.phase === 'done' || this.left) return
      this.forward(parts)
      for (const chunk of waiting) this.take(chunk)
      this.upstream.resume()
      if (!this.waiting) this.replayEnd()
    })
  }

  private replayEnd() {
    const { ended } = this
    this.ended = undefined
    if (ended === 'end') this.end()
    else if (ended) this.broke(ended)
  }

  /** Holds parts back until `beforeFirstByte` has resolved. */
  private hold(pending: Buffer[], parts: readonly Buffer[]) {
    pending.push(...parts)
    if (this.phase === 'starting') return
    const id = this.observer.responseId?.()
    if (id !== undefined) return this.startWith(id)
    const failure = this.observer.failure()
    if (failure !== undefined) this.onFailure(failure)
  }

  private startWith(responseId: string) {
    this.phase = 'starting'
    this.upstream.pause()
    this.hooks.beforeFirstByte!(responseId).then(
      () => this.onStarted(),
      error => {
        if (this.phase !== 'done') this.dispose()
        this.answer.drop()
        this.settle.reject(error)
      },
    )
  }

  private onStarted() {
    // A caller who left meanwhile finds the response by its id.
    if (this.phase === 'done') {
      this.answer.drop()
      return this.settle.resolve({ ok: true })
    }
    const parts = this.pending ?? []
    this.pending = undefined
    this.open()
    // An upstream that is resumed passes on at once what it has read.
    this.forward(parts)
    this.upstream.resume()
    if (!this.waiting) this.replayEnd()
  }

  private open() {
    this.phase = 'open'
    this.app.metrics.streams.inc()
    beginAnswer(this.context, this.hooks.headers)
  }

  private write(part: Buffer) {
    if (this.phase !== 'open') this.open()
    this.context.response.firstByteAt ??= this.app.monotonic()
    this.writer.write(part)
  }

  private onFailure(failure: unknown) {
    const fault = this.hooks.faultOf(failure)
    if (this.phase === 'open') this.finish('upstream-broke', fault)
    else this.abandon(fault, failure)
  }

  private abort(reason: AbortReason) {
    if (this.phase === 'done') return
    // The hold must not be detached halfway: `onStarted` ends it.
    if (this.phase === 'starting') return this.dispose()
    const fault = reason === 'stopping' ? new Fault('server.stopping') : undefined
    if (fault && (this.hasReceived || this.phase === 'open')) return this.finish('cut', fault)
    // A ping may have opened the stream. Nothing is charged before the upstream's first byte.
    if (fault || !this.hasReceived || this.pending)
      return this.abandon(fault ?? new Fault('upstream.broken', { detail: 'caller left' }))
    this.left = leftAnswerOf(this.app, this.observer, this.waiting && Math.max(0, this.delivered))
    if (!this.readOn()) this.finish('caller-left')
  }

  /** Keeps the phase, so that `finish` charges the call. */
  private readOn(): boolean {
    const { app, answer, observer, hooks, waiting = [] } = this
    if (!hooks.mayHide) return false
    this.stopWriting()
    const stream = { answer, observer, waiting, mayHide: hooks.mayHide() }
    return readOn(app, stream, () => this.finish('caller-left'))
  }

  private onTooLong() {
    const fault = new Fault('stream.too_long')
    if (this.phase === 'starting') this.dispose()
    else if (this.pending) this.abandon(fault)
    else this.finish('cut', fault)
  }

  private onPing() {
    if (this.phase === 'done' || !this.pingTimer) return
    const { dialect } = this.context
    const ping = this.hasOutput ? dialect.ping : (dialect.pingBeforeFirstEvent ?? dialect.ping)
    // A ping of this writer opens the stream, after which no other channel may be tried.
    const isLeftToCall = this.phase === 'waiting' && this.context.response.sendsEarlyPings
    if (!this.pending && !isLeftToCall && !this.writer.isBlocked()) this.write(Buffer.from(ping))
    this.restartPing()
  }

  private restartPing() {
    if (this.pingTimer) timers(this.app).refresh(this.pingTimer, this.limits.PingSeconds * 1_000)
  }

  private dispose() {
    this.phase = 'done'
    this.stopWriting()
  }

  private stopWriting() {
    this.context.abort.onAbort = undefined
    if (this.pingTimer) timers(this.app).stop(this.pingTimer)
    if (this.totalTimer) timers(this.app).stop(this.totalTimer)
    this.writer.dispose()
  }

  /** Gives up before the first byte, so that another channel may be tried. */
  private abandon(fault: Fault, failure?: unknown) {
    if (this.phase === 'open') this.app.metrics.streams.dec()
    this.dispose()
    this.answer.drop()
    this.settle.resolve({ ok: false, fault, ...(failure === undefined ? {} : { failure }) })
  }

  /** An answer with neither output nor a finish is a failure, whatever its closing frame says. */
  private complete() {
    if (this.observer.emptiness?.() !== 'unfinished') this.finish('complete')
    else this.broke(new Fault('upstream.empty'))
  }

  private finish(how: Finish, fault?: Fault) {
    if (this.phase === 'done') return
    const { app, context, observer } = this
    const wasOpen = this.phase === 'open'
    context.record.streamFault = fault
    this.dispose()
    if (how === 'complete') drainUpstream(app, this.answer, this.upstream.isPaused())
    else this.answer.drop()
    const ended = { delivered: Math.max(0, this.delivered), left: this.left }
    Promise.resolve(this.hooks.beforeEnd(how, ended))
      .finally(() => wasOpen && app.metrics.streams.dec())
      .then(last => {
        if (how === 'complete' || how === 'cut') beginAnswer(context, this.hooks.headers)
        if (fault) this.endWithError(fault)
        else endResponse(context, last ?? observer.tail())
        this.settle.resolve({ ok: true })
      })
      .catch(error => this.onNotDurable(error, wasOpen))
  }

  /** The caller has the words of the answer, but may not see its end before the charge is durable. */
  private onNotDurable(error: unknown, wasOpen: boolean) {
    const { context, settle } = this
    if (!wasOpen) return settle.reject(error)
    context.response.recorded = undefined
    const fault = error instanceof Fault ? error : new Fault('server.failed', { cause: error })
    this.endWithError(fault)
    settle.resolve({ ok: true })
  }

  /** A caller who sees the connection break knows that a file is incomplete. */
  private endWithError(fault: Fault) {
    if (this.hooks.headers) this.context.response.stream.destroy()
    else endResponse(this.context, errorEvent(this.context, fault))
  }
}
