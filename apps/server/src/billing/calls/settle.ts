import { Fault } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import type { SettleOperation } from '../../db/operations.ts'
import { type Priced, priceBook } from '../book.ts'
import type { Ending, Held } from '../held.ts'
import { areCounts, isCount } from '../price.ts'
import type { Quote } from '../quote.ts'
import { noUsage, tokenClasses } from '../usage.ts'
import { liveHolds } from './live.ts'
import { type Checkpoint, openMeter } from './meter.ts'
import { type LoggedCall, writeLog, writeReceipt } from './receipt.ts'

type Settled = { charged: number; shortfall: number }

/** A hold that is durable, until it is settled or released: whichever is called first, the other does nothing. */
export const openHeld = (app: App, call: Call, quote: Quote): Held => {
  let resolution: Promise<Settled> | undefined
  let model = ''
  const meter = openMeter({
    amount: quote.amount,
    now: app.monotonic,
    save: checkpoint => saveCheckpoint(app, call.id, model, checkpoint),
  })
  return {
    id: call.id,
    amount: meter.amount,
    progress(billedAs, delivered) {
      if (resolution) return 'go'
      model = billedAs
      try {
        return meter.progress(pricedAs(app, call, quote, billedAs), delivered)
      } catch {
        // Numbers that are no counts come from the upstream; the charge leaves them out, and says so.
        return 'go'
      }
    },
    settle(ending) {
      resolution ??= settleAs(app, call, pricedAs(app, call, quote, ending.model), {
        ending,
        usage: believable(app, ending.usage, meter.delivered()),
      })
      return resolution
    },
    async leave(billedAs, write) {
      if (resolution) return
      await write(pricedAs(app, call, quote, billedAs).priceId)
      resolution = Promise.resolve(nothing)
      liveHolds(app).delete(call.id)
    },
    release() {
      if (resolution) return undefined
      const releasing = release(app, call)
      resolution = releasing.then(() => nothing)
      return releasing
    },
  }
}

const nothing: Settled = { charged: 0, shortfall: 0 }

/** A name that was not announced is charged by the book, or as the dearest. */
const pricedAs = (app: App, call: Call, { models, prices, dearest }: Quote, model: string) => {
  const at = models.indexOf(model)
  return prices[at] ?? priceBook(app).find(model, call.caller.group) ?? dearest
}

const saveCheckpoint = async (app: App, id: number, model: string, checkpoint: Checkpoint) => {
  const { priced, delivered, accrued, want } = checkpoint
  const usage = writeReceipt(priced, { usage: delivered, model, estimated: true, finish: 'lost' })
  const outcome = await app.ledger.submit({ kind: 'checkpoint', id, accrued, usage, want })
  return outcome.ok ? outcome.granted : 0
}

type Charged = { ending: Ending; usage: Usage }

/** `loggedAt`, in seconds: the log row of a call that ended before, always the same, so that there is one of it. */
export const settleAs = (
  app: App,
  call: LoggedCall,
  priced: Priced,
  { ending, usage }: Charged,
  loggedAt?: number,
) => {
  const charge = priced.cost(usage)
  for (const kind in usage.tools)
    if (priced.terms.tools[kind] === undefined) app.metrics.alarms.inc({ kind: 'tool-price' })
  const { model, requestedModel, estimated, finish } = ending
  const requested = requestedModel === model ? undefined : requestedModel
  const at = Math.floor(app.now() / 1000)
  return submitSettle(app, {
    kind: 'settle',
    id: call.id,
    userId: call.caller.userId,
    tokenId: call.caller.tokenId,
    channelId: ending.channelId,
    charge,
    priceId: priced.priceId,
    usage: writeReceipt(priced, { usage, model, requested, estimated, finish }),
    at,
    stored: ending.stored,
    log: app.settings().logs.LogConsumeEnabled
      ? writeLog(app, call, priced, { ending, usage, charge }, loggedAt ?? at)
      : null,
  })
}

/** Also used by the sweep. A charge that the writer refuses stays with the hold and is offered again. */
export const submitSettle = async (app: App, operation: SettleOperation): Promise<Settled> => {
  const live = liveHolds(app)
  try {
    const { charged, shortfall } = await app.ledger.submit(operation)
    live.delete(operation.id)
    if (shortfall > 0) app.metrics.shortfalls.inc(shortfall)
    return { charged, shortfall }
  } catch (cause) {
    live.set(operation.id, { unsettled: operation })
    app.log.error({ err: cause, request: operation.id }, 'a charge is not durable yet')
    throw cause instanceof Fault ? cause : new Fault('server.ledger', { cause })
  }
}

/** A void that fails is not told to the caller: the sweep finds the hold and gives it back. */
const release = async (app: App, call: Call): Promise<void> => {
  try {
    await app.ledger.submit({ kind: 'void', id: call.id })
  } catch (error) {
    app.log.error({ err: error, request: call.id }, 'a hold is not given back yet')
  } finally {
    liveHolds(app).delete(call.id)
  }
}

/**
 * A usage that can be charged. A class that is no count is replaced by what was delivered as far as the gateway saw it,
 * and an alarm is raised: no answer of an upstream may empty a balance, and none may stop a charge.
 */
export const believable = (app: App, usage: Usage, delivered: Usage): Usage => {
  if (usage.tools !== undefined && areCounts(usage)) return usage
  const believed = noUsage()
  for (const each of tokenClasses) {
    believed[each] = usage[each]
    if (isCount(usage[each])) continue
    app.metrics.alarms.inc({ kind: 'usage' })
    believed[each] = isCount(delivered[each]) ? delivered[each] : 0
  }
  for (const [kind, calls] of Object.entries(usage.tools ?? {}))
    if (isCount(calls)) believed.tools[kind] = calls
    else app.metrics.alarms.inc({ kind: 'usage' })
  return believed
}
