import { Fault } from '@hub/contract'
import type { Dialect, Tap, Usage } from '@hub/dialects'
import type { Finish, Held } from '../../billing/held.ts'
import type { App } from '../../core/app.ts'
import type { Timer } from '../../lib/timers.ts'
import { timers } from '../clock.ts'
import { type Exchange, endWith, told, writeHead } from '../exchange.ts'
import type { Keep } from '../kept/keep.ts'
import { wordsOf } from '../translate/notes.ts'
import type { Translation } from '../translate/translation.ts'
import type { Answer } from '../upstream/send.ts'
import { type Bill, estimateUsage, makeEnding } from './ending.ts'
import { makePacer } from './pacer.ts'

export type Delivery = {
  answer: Answer
  /** The caller's. */
  dialect: Dialect
  /** Absent: the answer is in the caller's dialect already. */
  translation: Translation | undefined
  bill: Bill
  held: Held
  /** What an error means that the upstream tells within its answer. */
  faultOf(failure: unknown): Fault
  /** The answer is kept here, before its caller sees the end; absent: it is not. */
  keep?: Keep | undefined
}

/** How a delivery ended: with an answer, or before its first byte, so that another channel may be asked. */
export type Delivered = { ok: true } | { ok: false; fault: Fault; failure?: unknown }

const streamHeaders = ({ streamType = 'text/event-stream; charset=utf-8' }: Dialect) => [
  'content-type',
  streamType,
  'x-accel-buffering',
  'no',
]
/** An upstream that said its last word may take so long to end its answer; then its connection is closed. */
const lingerMs = 1_000

/**
 * Passes a stream on as it comes, at the caller's pace, and listens. It ends once: complete, broken, cut, or because
 * the caller left; and each of these is charged before the caller can see the end.
 */
export const deliverStream = (app: App, exchange: Exchange, delivery: Delivery) =>
  new Promise<Delivered>((resolve, reject) => {
    const { answer, dialect, bill, held } = delivery
    const limits = app.settings().relay
    const wheel = timers(app)
    const tap = tapOf(app, exchange, delivery)
    const pacer = makePacer(app, exchange, answer)
    const limit: { ping?: Timer; total?: Timer } = {}
    let metered = -1
    let hasBegun = false
    let hasSpoken = false
    let isOver = false

    const begin = () => {
      hasBegun = true
      app.metrics.streams.inc()
      writeHead(exchange, 200, streamHeaders(dialect))
    }

    const write = (part: Buffer) => {
      if (!hasBegun) begin()
      exchange.firstByteAt ??= app.monotonic()
      pacer.write(part)
    }

    const onData = (chunk: Buffer) => {
      if (isOver) return
      const parts = tap.push(chunk)
      const failure = tap.failure()
      // What came before an error is delivered too; as long as nothing was, another channel may be asked.
      if (failure === undefined || hasBegun) for (const part of parts) write(part)
      if (failure !== undefined) return onFailure(failure)
      hasSpoken ||= parts.length > 0
      if (limit.ping && parts.length > 0) wheel.touch(limit.ping, limits.PingSeconds * 1_000)
      if (tap.metered() !== metered) meter()
      if (tap.closed()) finish('complete')
    }

    const meter = () => {
      metered = tap.metered()
      if (held.progress(bill.billedModel, estimateUsage(bill.ask, metered)) === 'cut')
        finish('cut', new Fault('stream.quota'))
    }

    const onFailure = (failure: unknown) => {
      const fault = delivery.faultOf(failure)
      if (hasBegun) return finish('upstream-broke', fault)
      leave()
      answer.drop()
      resolve({ ok: false, fault, failure })
    }

    const onEnd = () => {
      if (isOver) return
      const isGood = tap.end?.() ?? false
      const failure = tap.failure()
      if (failure !== undefined) return onFailure(failure)
      if (isGood) return finish('complete')
      onBroken(new Fault('upstream.broken', { detail: 'ended without its last word' }))
    }

    const onBroken = (fault: Fault) => {
      if (isOver) return
      if (hasBegun) return finish('upstream-broke', fault)
      leave()
      resolve({ ok: false, fault })
    }

    const onPing = () => {
      if (isOver) return
      const ping = hasSpoken ? dialect.ping : (dialect.pingBefore ?? dialect.ping)
      if (!pacer.isWaiting()) write(Buffer.from(ping))
      wheel.touch(limit.ping!, limits.PingSeconds * 1_000)
    }

    const leave = () => {
      isOver = true
      exchange.onStop = undefined
      if (limit.ping) wheel.stop(limit.ping)
      if (limit.total) wheel.stop(limit.total)
      pacer.leave()
    }

    const finish = (how: Finish, fault?: Fault) => {
      if (isOver) return
      leave()
      if (how === 'complete') linger(app, answer, pacer.isWaiting())
      else answer.drop()
      // An upstream that failed before the first word of its answer costs nothing, however politely it began.
      const isNothing = how === 'upstream-broke' && tap.metered() <= 0
      const ending = { tap, how }
      const settled = isNothing ? held.release() : conclude(app, exchange, delivery, ending)
      Promise.resolve(settled).then(
        last => {
          if (hasBegun) app.metrics.streams.dec()
          if (how === 'complete' && !hasBegun) writeHead(exchange, 200, streamHeaders(dialect))
          const end = Buffer.isBuffer(last) ? last : tap.tail()
          endWith(exchange, fault ? errorEvent(exchange, dialect, fault) : end)
          resolve({ ok: true })
        },
        error => {
          if (hasBegun) app.metrics.streams.dec()
          reject(error)
        },
      )
    }

    exchange.onStop = why => {
      if (isOver) return
      const fault = why === 'stopping' ? new Fault('server.stopping') : undefined
      // Nothing is charged for an upstream that never said anything.
      if (metered >= 0 || hasBegun) return finish(fault ? 'cut' : 'caller-left', fault)
      leave()
      answer.drop()
      resolve({
        ok: false,
        fault: fault ?? new Fault('upstream.broken', { detail: 'caller left' }),
      })
    }
    limit.total = wheel.start(limits.StreamDurationMaxSeconds * 1_000, () =>
      finish('cut', new Fault('stream.too-long')),
    )
    if (limits.PingSeconds > 0 && dialect.ping !== '')
      limit.ping = wheel.start(limits.PingSeconds * 1_000, onPing)
    if (exchange.stopped) return exchange.onStop(exchange.stopped)
    answer.read({
      data: onData,
      end: onEnd,
      broke: onBroken,
    })
  })

const tapOf = (app: App, { requestId }: Exchange, { dialect, translation, bill }: Delivery): Tap =>
  translation
    ? translation.tap({
        wantsUsage: bill.ask.wantsUsage,
        createdAt: Math.floor(app.now() / 1_000),
        id: requestId,
      })
    : dialect.tap(bill.ask)

type Ended = { tap: Tap; how: Finish }

/** Charges the call, and answers its last bytes where they are others than the tap's. */
const conclude = (app: App, exchange: Exchange, delivery: Delivery, ended: Ended) => {
  const keep = ended.how === 'complete' ? delivery.keep : undefined
  if (!keep) return charge(app, exchange, delivery, ended)
  return keep(ended.tap.tail()).then(async ({ last, notes }) => {
    await charge(app, exchange, delivery, ended, notes)
    return last
  })
}

const charge = (
  app: App,
  exchange: Exchange,
  { bill, held }: Delivery,
  { tap, how }: Ended,
  more: readonly string[] = [],
) => {
  if (tap.garbage() > 0) app.metrics.alarms.inc({ kind: 'garbage' })
  const reported: Usage | 'broken' | undefined = tap.usage()
  const notes = [...bill.notes, ...wordsOf(tap.notes?.() ?? []), ...more]
  return held.settle(
    makeEnding(
      app,
      exchange,
      { ...bill, notes },
      {
        reported,
        metered: tap.metered(),
        finish: how,
        answerId: tap.answerId?.(),
      },
    ),
  )
}

const linger = (app: App, answer: Answer, isPaused: boolean) => {
  const wheel = timers(app)
  const limit = wheel.start(lingerMs, () => answer.drop())
  const done = () => wheel.stop(limit)
  answer.read({ data: () => {}, end: done, broke: done })
  if (isPaused) answer.resume()
}

/** The tap hands on whole frames only, so an event can follow anything that went out. */
const errorEvent = (exchange: Exchange, dialect: Dialect, fault: Fault): Buffer =>
  Buffer.from(dialect.encodeFaultEvent(told(exchange, fault)))
