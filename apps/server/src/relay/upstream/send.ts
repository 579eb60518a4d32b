import { Fault, type Settings } from '@hub/contract'
import type { Dispatcher } from 'undici'
import type { App } from '../../core/app.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Timer } from '../../lib/timers.ts'
import type { Channel } from '../channels/channel.ts'
import { timers } from '../clock.ts'
import { discard, type Lane, release, takeLane } from './pools.ts'

/** What goes to an upstream. The authority is the channel's and nobody else's. */
export type Outgoing = {
  channel: Channel
  credential: string
  method: 'GET' | 'POST' | 'DELETE'
  origin: string
  path: string
  /** Name and value in turn. */
  headers: string[]
  body: Buffer | null
}

/** Who reads the body of an answer. After `end` or `broke` nothing follows. */
export type Reader = {
  data(chunk: Buffer): void
  end(): void
  broke(fault: Fault): void
}

/** An upstream's answer, from its status line on. */
export type Answer = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Hands over what came already and what is still to come. */
  read(reader: Reader): void
  pause(): void
  resume(): void
  /** Lets the upstream go at once. The reader hears nothing more. */
  drop(): void
}

export type Sending = {
  /** Never rejects: a fault says why nobody answered. */
  answer: Promise<Answer | Fault>
  /** Gives up, whatever it is waiting for. */
  drop(): void
}

type Phase = 'connecting' | 'waiting' | 'flowing' | 'over'

type Handling = Required<
  Pick<
    Dispatcher.DispatchHandler,
    | 'onRequestStart'
    | 'onResponseStart'
    | 'onResponseData'
    | 'onResponseEnd'
    | 'onResponseError'
    | 'onRequestUpgrade'
  >
>

/** An attempt while it runs: plain data, and what undici calls on it. */
type Attempt = Handling & {
  readonly app: App
  readonly lane: Lane
  readonly limits: Settings['relay']
  readonly tell: (answer: Answer | Fault) => void
  readonly drop: () => void
  phase: Phase
  limit: Timer | undefined
  controller: Dispatcher.DispatchController | undefined
  reader: Reader | undefined
  /** What came before somebody read it. */
  early: Buffer[] | undefined
  isPaused: boolean
  /** How it ended before somebody read it. */
  ended: Fault | 'end' | undefined
}

const letGo = new Fault('upstream.broken', { detail: 'let go' })

/** One attempt. It ends once: at the end of the body, with a fault, or when it is dropped. */
export const send = (app: App, out: Outgoing): Sending => {
  const lane = takeLane(app, out)
  const limits = app.settings().relay
  let tell: Attempt['tell']
  const answer = new Promise<Answer | Fault>(resolve => {
    tell = resolve
  })
  const attempt: Attempt = {
    ...handling,
    app,
    lane,
    limits,
    tell: tell!,
    drop: () => {
      attempt.reader = undefined
      fail(attempt, letGo)
    },
    phase: 'connecting',
    limit: undefined,
    controller: undefined,
    reader: undefined,
    early: undefined,
    isPaused: false,
    ended: undefined,
  }
  attempt.limit = timers(app).start(limits.ConnectTimeoutSeconds * 1_000, () => {
    const detail = `${out.channel.id}: nothing while ${attempt.phase}`
    fail(attempt, new Fault('upstream.timeout', { detail }))
  })
  try {
    failpoint('upstream asked')
    lane.client.dispatch(out, attempt)
  } catch (cause) {
    fail(attempt, new Fault('upstream.unreachable', { cause, detail: 'cannot be sent' }))
  }
  return { answer, drop: attempt.drop }
}

const fail = (attempt: Attempt, fault: Fault) => {
  if (attempt.phase === 'over') return
  attempt.phase = 'over'
  halt(attempt)
  attempt.controller?.abort(fault)
  discard(attempt.lane)
  attempt.ended = fault
  attempt.tell(fault)
  attempt.reader?.broke(fault)
}

/** It may be silent for so long from now on. */
const allow = ({ app, limit }: Attempt, seconds: number) => {
  if (limit) timers(app).touch(limit, seconds * 1_000)
}

const halt = ({ app, limit }: Attempt) => {
  if (limit) timers(app).stop(limit)
}

const answerOf = (
  attempt: Attempt,
  status: Answer['status'],
  headers: Answer['headers'],
): Answer => ({
  status,
  headers,
  read: reader => read(attempt, reader),
  pause: () => pause(attempt),
  resume: () => resume(attempt),
  drop: attempt.drop,
})

const read = (attempt: Attempt, reader: Reader) => {
  const waiting = attempt.early
  attempt.early = undefined
  attempt.reader = reader
  // Whoever reads may let go of it meanwhile.
  if (waiting) for (const chunk of waiting) attempt.reader?.data(chunk)
  if (attempt.ended === 'end') attempt.reader?.end()
  else if (attempt.ended) attempt.reader?.broke(attempt.ended)
}

const pause = (attempt: Attempt) => {
  if (attempt.phase !== 'flowing') return
  attempt.isPaused = true
  attempt.controller?.pause()
  halt(attempt)
}

const resume = (attempt: Attempt) => {
  attempt.isPaused = false
  if (attempt.phase !== 'flowing') return
  allow(attempt, attempt.limits.IdleTimeoutSeconds)
  attempt.controller?.resume()
}

/** For every attempt the same, since undici calls them on the attempt: six closures for each would be a third of it. */
const handling: Handling & ThisType<Attempt> = {
  onRequestStart(controller) {
    this.controller = controller
    if (this.phase === 'over') return controller.abort(letGo)
    failpoint('upstream connected')
    this.phase = 'waiting'
    allow(this, this.limits.FirstByteTimeoutSeconds)
  },
  onResponseStart(_controller, status, headers) {
    // Informational answers come before the one that counts, and are not for the caller.
    if (status < 200 || this.phase === 'over') return
    failpoint('upstream answered')
    this.tell(answerOf(this, status, headers))
  },
  onResponseData(_controller, chunk) {
    if (this.phase === 'over') return
    if (this.phase === 'waiting') failpoint('upstream first byte')
    this.phase = 'flowing'
    if (!this.isPaused) allow(this, this.limits.IdleTimeoutSeconds)
    if (this.reader) this.reader.data(chunk)
    else if (this.early) this.early.push(chunk)
    else this.early = [chunk]
  },
  onResponseEnd() {
    if (this.phase === 'over') return
    failpoint('upstream ended')
    this.phase = 'over'
    halt(this)
    release(this.app, this.lane)
    this.ended = 'end'
    this.reader?.end()
  },
  onResponseError(_controller, error) {
    fail(this, faultOf(error, this.phase))
  },
  onRequestUpgrade(_controller, _status, _headers, socket) {
    socket.destroy()
    fail(this, new Fault('upstream.garbage', { detail: 'upgraded without being asked' }))
  },
}

const garbage = /^(HPE_|UND_ERR_(RES_|HEADERS_OVERFLOW|RESPONSE))/

const faultOf = (error: unknown, phase: Phase): Fault => {
  if (error instanceof Fault) return error
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const detail = `${code} ${message}`.trim()
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Fault('upstream.timeout', { detail })
  if (garbage.test(code) || /bad (response|upgrade)/.test(message))
    return new Fault('upstream.garbage', { detail, cause: error })
  if (phase === 'connecting' || phase === 'waiting')
    return new Fault('upstream.unreachable', { detail, cause: error })
  return new Fault('upstream.broken', { detail, cause: error })
}

/** The whole body, as long as it is small: of a longer one the beginning. */
export const readSome = (answer: Answer, sizeMax: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    answer.read({
      data: chunk => {
        chunks.push(chunk)
        size += chunk.length
        if (size < sizeMax) return
        answer.drop()
        resolve(Buffer.concat(chunks).subarray(0, sizeMax))
      },
      end: () => resolve(Buffer.concat(chunks)),
      broke: reject,
    })
  })
