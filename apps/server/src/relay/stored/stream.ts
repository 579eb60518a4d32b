import { Fault } from '@hub/contract'
import type { Dialect, Tap } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Timer } from '../../lib/timers.ts'
import { timers } from '../clock.ts'
import { makePacer } from '../deliver/pacer.ts'
import type { Delivered } from '../deliver/stream.ts'
import { type Exchange, endWith, told, writeHead } from '../exchange.ts'
import type { Answer } from '../upstream/send.ts'

export type Piping = {
  answer: Answer
  dialect: Dialect
  tap: Tap
  faultOf(failure: unknown): Fault
  /** Durable before the caller sees anything; absent: there is nothing to wait for. */
  begin?(answerId: string): Promise<void>
  /** Before the caller sees the end, which is in this last frame. */
  end(last: Buffer): Promise<void>
  /** The stream ended before the answer did, after so many tokens. */
  broke?(metered: number): void
}

const headers = ['content-type', 'text/event-stream; charset=utf-8', 'x-accel-buffering', 'no']

/**
 * Passes the stream of an answer on that is made whether anybody listens or not. Nothing is charged by what was delivered:
 * a caller who leaves can come back for the rest.
 */
export const pipeKept = (app: App, exchange: Exchange, piping: Piping): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    const { answer, dialect, tap } = piping
    const limits = app.settings().relay
    const wheel = timers(app)
    const pacer = makePacer(app, exchange, answer)
    const pending: Buffer[] = []
    const limit: { ping?: Timer; total?: Timer } = {}
    let phase: 'waiting' | 'beginning' | 'flowing' | 'over' = 'waiting'
    let broken: Fault | 'end' | undefined

    const leave = () => {
      phase = 'over'
      exchange.onStop = undefined
      if (limit.ping) wheel.stop(limit.ping)
      if (limit.total) wheel.stop(limit.total)
      pacer.leave()
    }
    const fail = (fault: Fault, failure?: unknown) => {
      const hasBegun = phase === 'flowing'
      leave()
      if (hasBegun) piping.broke?.(tap.metered())
      answer.drop()
      if (!hasBegun)
        return resolve({ ok: false, fault, ...(failure === undefined ? {} : { failure }) })
      endWith(exchange, Buffer.from(dialect.encodeFaultEvent(told(exchange, fault))))
      resolve({ ok: true })
    }
    const finish = () => {
      leave()
      answer.drop()
      piping.end(tap.tail()).then(() => {
        endWith(exchange, tap.tail())
        resolve({ ok: true })
      }, reject)
    }
    /** What the tap has heard so far, once the caller may see it. */
    const goOn = () => {
      for (const part of pending.splice(0)) {
        exchange.firstByteAt ??= app.monotonic()
        pacer.write(part)
      }
      if (limit.ping) wheel.touch(limit.ping, limits.PingSeconds * 1_000)
      const failure = tap.failure()
      if (failure !== undefined) return fail(piping.faultOf(failure), failure)
      if (tap.closed()) return finish()
      if (broken === 'end') return fail(new Fault('upstream.broken', { detail: 'ended too early' }))
      if (broken) fail(broken)
    }
    const flow = () => {
      // Who left meanwhile finds the answer under its id.
      if (phase === 'over') {
        answer.drop()
        return resolve({ ok: true })
      }
      phase = 'flowing'
      writeHead(exchange, 200, headers)
      answer.resume()
      goOn()
    }
    const tryBegin = () => {
      const id = tap.answerId?.()
      if (id === undefined || !piping.begin) return
      phase = 'beginning'
      answer.pause()
      piping.begin(id).then(flow, error => {
        if (phase !== 'over') leave()
        answer.drop()
        reject(error)
      })
    }
    const hear = () => {
      if (phase === 'waiting') tryBegin()
      if (phase === 'flowing') return goOn()
      const failure = tap.failure()
      if (phase !== 'waiting') return
      if (failure !== undefined) return fail(piping.faultOf(failure), failure)
      if (broken) fail(broken === 'end' ? new Fault('upstream.garbage') : broken)
    }

    exchange.onStop = why => {
      const fault = new Fault(why === 'stopping' ? 'server.stopping' : 'upstream.broken')
      if (phase === 'beginning') return leave()
      fail(fault)
    }
    limit.total = wheel.start(limits.StreamDurationMaxSeconds * 1_000, () =>
      phase === 'beginning' ? leave() : fail(new Fault('stream.too-long')),
    )
    const onPing = () => {
      if (phase === 'flowing' && !pacer.isWaiting()) pacer.write(Buffer.from(dialect.ping))
      wheel.touch(limit.ping!, limits.PingSeconds * 1_000)
    }
    if (limits.PingSeconds > 0) limit.ping = wheel.start(limits.PingSeconds * 1_000, onPing)
    if (exchange.stopped) return exchange.onStop(exchange.stopped)
    if (!piping.begin) flow()
    answer.read({
      data: chunk => {
        if (phase === 'over') return
        pending.push(...tap.push(chunk))
        hear()
      },
      end: () => {
        broken = 'end'
        if (phase !== 'over') hear()
      },
      broke: fault => {
        broken = fault
        if (phase !== 'over') hear()
      },
    })
  })
