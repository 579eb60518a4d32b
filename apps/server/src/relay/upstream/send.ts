import { Fault, type Settings } from '@hub/contract'
import type { Dispatcher } from 'undici'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Timer } from '../../lib/time/timers.ts'
import type { Channel } from '../channels/channel.ts'
import type { EncodedForm } from '../request/form.ts'
import {
  type ConnectionLease,
  discard,
  release,
  takeConnection,
} from './connections/connection-pool.ts'

/** A request to an upstream. Its origin is always the channel's. */
export type Outgoing = {
  channel: Channel
  credential: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  origin: string
  path: string
  /** Name and value in turn. */
  headers: string[]
  body: Buffer | EncodedForm | null
}

/** Reads the body of an answer. Nothing follows after `end` or `broke`. */
export type Reader = {
  data(chunk: Buffer): void
  end(): void
  broke(fault: Fault): void
}

/** An upstream's answer, from its status line on. */
export type Answer = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Passes the reader the bytes that came already and those still to come. */
  read(reader: Reader): void
  pause(): void
  resume(): void
  /** Closes the connection at once. The reader is not called again. */
  drop(): void
}

export type Sending = {
  /** Never rejects: a fault says why there is no answer. */
  answer: Promise<Answer | Fault>
  /** The whole request was written to the connection. */
  isSent(): boolean
  /** Monotonic milliseconds; 0 before the connection is ready. */
  connectedAt(): number
  /** The first byte of the answer's body came. */
  hasBegun(): boolean
  /** Gives up in any phase. */
  drop(): void
}

/** Asked when the connection is ready, right before the request is written. False: it is not sent. */
export type MayStart = () => boolean

/** Sends a request once. It ends once: at the end of the body, with a fault, or when it is dropped. */
export const send = (app: App, outgoing: Outgoing, mayStart?: MayStart): Sending => {
  const lease = takeConnection(app, outgoing)
  let settle: UpstreamRequest['settle']
  const answer = new Promise<Answer | Fault>(resolve => {
    settle = resolve
  })
  const request = new UpstreamRequest(app, lease, settle!, mayStart)
  request.start(outgoing.channel.id)
  try {
    failpoint('upstream asked')
    lease.client.dispatch(request.dispatchOptions(outgoing), request)
  } catch (cause) {
    request.fail(new Fault('upstream.unreachable', { cause, detail: 'cannot be sent' }))
  }
  return {
    answer,
    isSent: () => request.isSent,
    connectedAt: () => request.connectedAt,
    hasBegun: () => request.hasBegun,
    drop: request.drop,
  }
}

type Phase = 'connecting' | 'waiting' | 'flowing' | 'over'

const dropped = new Fault('upstream.broken', { detail: 'dropped' })

/** One request while it runs, and the handler that undici calls on it. */
class UpstreamRequest implements Dispatcher.DispatchHandler {
  readonly settle: (answer: Answer | Fault) => void
  readonly drop: () => void
  isSent = false
  hasBegun = false
  connectedAt = 0
  private readonly app: App
  private readonly lease: ConnectionLease
  private readonly mayStart: MayStart | undefined
  private readonly limits: Settings['relay']
  private phase: Phase = 'connecting'
  private timer: Timer | undefined
  private controller: Dispatcher.DispatchController | undefined
  private reader: Reader | undefined
  /** Chunks that came before there was a reader. */
  private early: Buffer[] | undefined
  private isPaused = false
  /** The end, where it came before there was a reader. */
  private ended: Fault | 'end' | undefined

  constructor(
    app: App,
    lease: ConnectionLease,
    settle: (answer: Answer | Fault) => void,
    mayStart: MayStart | undefined,
  ) {
    this.app = app
    this.lease = lease
    this.mayStart = mayStart
    this.limits = app.settings().relay
    this.settle = settle
    this.drop = () => {
      this.reader = undefined
      this.fail(dropped)
    }
  }

  start(channelId: number) {
    this.timer = timers(this.app).start(this.limits.ConnectTimeoutSeconds * 1_000, () => {
      const detail = `${channelId}: nothing while ${this.phase}`
      this.fail(new Fault('upstream.timeout', { detail }))
    })
  }

  /** A form is read while it is sent, and each chunk of it counts as a sign of life of the upstream. */
  dispatchOptions(outgoing: Outgoing): Dispatcher.DispatchOptions {
    const { body } = outgoing
    if (body === null || Buffer.isBuffer(body)) return outgoing as Dispatcher.DispatchOptions
    const onRead = () => {
      if (this.phase === 'waiting') this.resetTimeout(this.limits.FirstByteTimeoutSeconds)
    }
    return { ...outgoing, body: body.open(onRead) }
  }

  fail(fault: Fault) {
    if (this.phase === 'over') return
    this.phase = 'over'
    this.clearTimeout()
    this.controller?.abort(fault)
    discard(this.lease)
    this.ended = fault
    this.settle(fault)
    this.reader?.broke(fault)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.controller = controller
    if (this.phase === 'over') return controller.abort(dropped)
    if (this.mayStart?.() === false) return this.drop()
    this.lease.client.head.isAwaited = true
    failpoint('upstream connected')
    this.phase = 'waiting'
    this.connectedAt = this.app.monotonic()
    this.resetTimeout(this.limits.FirstByteTimeoutSeconds)
  }

  onRequestSent() {
    this.isSent = true
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer['headers'],
  ) {
    // Informational answers come before the one that counts, and are not for the caller.
    if (status < 200 || this.phase === 'over') return
    this.lease.client.head.isAwaited = false
    failpoint('upstream answered')
    this.settle(this.answer(status, headers))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.phase === 'over') return
    if (this.phase === 'waiting') failpoint('upstream first byte')
    this.phase = 'flowing'
    this.hasBegun = true
    if (!this.isPaused) this.resetTimeout(this.limits.IdleTimeoutSeconds)
    if (this.reader) this.reader.data(chunk)
    else if (this.early) this.early.push(chunk)
    else this.early = [chunk]
  }

  onResponseEnd() {
    if (this.phase === 'over') return
    failpoint('upstream ended')
    this.phase = 'over'
    this.clearTimeout()
    release(this.app, this.lease)
    this.ended = 'end'
    this.reader?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown) {
    this.fail(faultOf(error, this.phase))
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _status: number,
    _headers: unknown,
    socket: { destroy(): void },
  ) {
    socket.destroy()
    this.fail(
      new Fault('upstream.invalid_response', { detail: 'upgraded without a request for it' }),
    )
  }

  private answer(status: number, headers: Answer['headers']): Answer {
    return {
      status,
      headers,
      read: reader => this.read(reader),
      pause: () => this.pause(),
      resume: () => this.resume(),
      drop: this.drop,
    }
  }

  private read(reader: Reader) {
    const { early } = this
    this.early = undefined
    this.reader = reader
    // The reader may drop the answer while it reads.
    if (early) for (const chunk of early) this.reader?.data(chunk)
    if (this.ended === 'end') this.reader?.end()
    else if (this.ended) this.reader?.broke(this.ended)
  }

  private pause() {
    if (this.phase !== 'flowing') return
    this.isPaused = true
    this.controller?.pause()
    this.clearTimeout()
  }

  private resume() {
    this.isPaused = false
    if (this.phase !== 'flowing') return
    this.resetTimeout(this.limits.IdleTimeoutSeconds)
    this.controller?.resume()
  }

  /** Allows this many seconds of silence from now on. */
  private resetTimeout(seconds: number) {
    if (this.timer) timers(this.app).refresh(this.timer, seconds * 1_000)
  }

  private clearTimeout() {
    if (this.timer) timers(this.app).stop(this.timer)
  }
}

/** Codes of Node's HTTP parser and of undici for bytes that are no HTTP answer. */
const invalidResponse = /^(HPE_|UND_ERR_(RES_|HEADERS_OVERFLOW|RESPONSE))/

const faultOf = (error: unknown, phase: Phase): Fault => {
  if (error instanceof Fault) return error
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const detail = `${code} ${message}`.trim()
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Fault('upstream.timeout', { detail })
  if (invalidResponse.test(code) || /bad (response|upgrade)/.test(message))
    return new Fault('upstream.invalid_response', { detail, cause: error })
  if (phase === 'connecting' || phase === 'waiting')
    return new Fault('upstream.unreachable', { detail, cause: error })
  return new Fault('upstream.broken', { detail, cause: error })
}
