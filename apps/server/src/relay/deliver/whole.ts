import { Fault } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { type Exchange, endWith, type Stop, writeHead, writeWhole } from '../exchange.ts'
import type { Kept } from '../kept/keep.ts'
import type { Reader } from '../upstream/send.ts'
import { estimateUsage, makeEnding } from './ending.ts'
import { makePacer, type Pacer } from './pacer.ts'
import type { Delivered, Delivery } from './stream.ts'

/** Held back until it is charged. Of a longer answer everything but the last chunk goes on before. */
const heldBackMax = 1024 * 1024
/** Usage stands anywhere in an answer, so all of it is kept until it was read. */
const answerMax = 64 * 1024 * 1024

const delivered: Delivered = { ok: true }

/** Charges what was gathered, and only then lets the caller have it, or its last piece. */
const conclude = (
  app: App,
  exchange: Exchange,
  delivery: Delivery,
  { chunks, hasBegun }: Pick<Gathering, 'chunks' | 'hasBegun'>,
): Delivered | Promise<Delivered> => {
  const { bill, dialect, translation, held } = delivery
  const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  const facts = (translation?.to ?? dialect).readReply(body)

  if (!facts.ok && !hasBegun) {
    const isTold = facts.failure !== undefined
    const fault = isTold
      ? new Fault('upstream.failed', { detail: 'an error under a good status' })
      : new Fault('upstream.garbage', { detail: 'not an answer' })
    return { ok: false, fault, failure: facts.failure }
  }
  if (bill.ask.stream)
    return { ok: false, fault: new Fault('upstream.garbage', { detail: 'not a stream' }) }
  const reported: Usage | 'broken' | undefined = facts.ok ? facts.usage : undefined
  const metered = facts.ok ? facts.metered : 0
  const answerId = facts.ok ? facts.answerId : undefined
  exchange.firstByteAt ??= app.monotonic()
  const finish = exchange.stopped === 'caller-left' ? 'caller-left' : 'complete'
  const told = translation
    ? translation.reply(body, {
        createdAt: Math.floor(app.now() / 1_000),
        id: exchange.requestId,
      })
    : { body: dialect.fit?.(bill.ask, body) ?? body, notes: [] }
  const settle = ({ last, notes }: Kept) => {
    const billed = notes.length === 0 ? bill : { ...bill, notes: [...bill.notes, ...notes] }
    return held
      .settle(makeEnding(app, exchange, billed, { reported, metered, finish, answerId }))
      .then(() => {
        if (hasBegun) endWith(exchange, chunks.at(-1)!)
        else writeWhole(exchange, 200, headersOf(delivery), last)
        return delivered
      })
  }
  const { body: last, notes } = told
  const keep = finish === 'complete' ? delivery.keep : undefined
  if (!keep) return settle({ last, notes })
  return keep(last).then(kept => settle({ ...kept, notes: [...notes, ...kept.notes] }))
}

const headersOf = ({ answer, translation }: Delivery): string[] => {
  const type = translation ? undefined : answer.headers['content-type']
  return ['content-type', typeof type === 'string' ? type : 'application/json']
}

/** Gathers the answer, passing on what is too long to be held back, and ends it once. */
export const deliverWhole = (
  app: App,
  exchange: Exchange,
  delivery: Delivery,
): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    const { answer, bill, dialect, translation } = delivery
    const gathering: Gathering = {
      ...gathered,
      app,
      exchange,
      delivery,
      isPassable: !bill.ask.stream && !translation && !dialect.fit,
      pacer: undefined,
      chunks: [],
      size: 0,
      sent: 0,
      hasBegun: false,
      resolve,
      reject,
    }
    exchange.onStop = why => gathering.broke(faultOf(why))
    if (exchange.stopped) return exchange.onStop(exchange.stopped)
    answer.read(gathering)
  })

const faultOf = (why: Stop) =>
  new Fault(why === 'stopping' ? 'server.stopping' : 'upstream.broken', { detail: why })

/** An answer that comes: plain data, and what its upstream calls on it. */
type Gathering = Reader & {
  readonly app: App
  readonly exchange: Exchange
  readonly delivery: Delivery
  readonly isPassable: boolean
  pacer: Pacer | undefined
  readonly chunks: Buffer[]
  size: number
  /** Chunks that the caller has. */
  sent: number
  hasBegun: boolean
  readonly resolve: (delivered: Delivered | Promise<Delivered>) => void
  readonly reject: (error: unknown) => void
}

const passOn = (gathering: Gathering) => {
  const { app, exchange, delivery, chunks } = gathering
  if (!gathering.hasBegun) {
    gathering.hasBegun = true
    exchange.firstByteAt ??= app.monotonic()
    writeHead(exchange, 200, headersOf(delivery))
  }
  gathering.pacer ??= makePacer(app, exchange, delivery.answer)
  while (gathering.sent < chunks.length - 1) gathering.pacer.write(chunks[gathering.sent++]!)
}

const leave = ({ exchange, pacer }: Gathering) => {
  exchange.onStop = undefined
  pacer?.leave()
}

/** For every answer the same: an upstream calls them on the answer. */
const gathered: Reader & ThisType<Gathering> = {
  data(chunk) {
    const { held, bill } = this.delivery
    if (this.size === 0) held.progress(bill.billedModel, estimateUsage(bill.ask, 0))
    this.size += chunk.length
    this.chunks.push(chunk)
    if (this.size > answerMax)
      return this.broke(new Fault('upstream.garbage', { detail: 'endless' }))
    // A caller who asked for a stream, or in another dialect or form, could not read its beginning.
    if (this.size > heldBackMax && this.isPassable) passOn(this)
  },
  end() {
    leave(this)
    try {
      this.resolve(conclude(this.app, this.exchange, this.delivery, this))
    } catch (error) {
      this.reject(error)
    }
  },
  broke(fault) {
    const { app, exchange, delivery, hasBegun, size, resolve, reject } = this
    leave(this)
    delivery.answer.drop()
    const isUntold = !hasBegun && exchange.stopped === undefined
    if (isUntold || size === 0) return resolve({ ok: false, fault })
    // What was read of the prompt is paid for; a caller who saw the beginning sees the connection break.
    const finish = exchange.stopped === 'caller-left' ? 'caller-left' : 'upstream-broke'
    const told = { reported: undefined, metered: 0, finish } as const
    delivery.held.settle(makeEnding(app, exchange, delivery.bill, told)).then(() => {
      if (hasBegun) exchange.response.destroy()
      resolve({ ok: false, fault })
    }, reject)
  },
}
