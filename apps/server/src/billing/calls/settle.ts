import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import {
  cachedTokens,
  hasValidCounts,
  inputTokens,
  isTokenCount,
  noUsage,
  outputTokens,
  type Usage,
} from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import type { SettleOperation, VoidOperation } from '../../db/operations.ts'
import { costOfCall, noteAttempts } from '../costs/call-cost.ts'
import type { CallResult, HoldObserver, OpenHold, PromptUsage } from '../open-hold.ts'
import { type EffectivePrice, priceCache } from '../price-cache.ts'
import { toolPriceOf } from '../prices/terms.ts'
import type { Quote } from '../quote.ts'
import { tokenClasses } from '../usage.ts'
import { boundUsage } from './bound-usage.ts'
import { wakeWaiting } from './holds/held-waits.ts'
import { liveHolds } from './holds/live-holds.ts'
import { type Checkpoint, openMeter } from './meter.ts'
import { type LoggedCall, withoutModel, writeLog, writeReceipt } from './receipt.ts'

type Settled = { charged: number; shortfall: number }

/** The handle of a durable hold. The first of `settle`, `detach` and `release` resolves it, the others do nothing. */
export const trackHold = (app: App, opened: Call, quote: Quote): OpenHold => {
  const { id } = opened
  let call = opened
  let resolution: Promise<Settled> | undefined
  let model = ''
  let countPrompt: (() => Promise<PromptUsage>) | undefined
  let observers: HoldObserver[] | undefined
  const attempts = noteAttempts(app)
  const { toolPoints = 0 } = quote
  const meter = openMeter({
    amount: quote.amount - toolPoints,
    hidden: quote.hidden ?? 0,
    now: app.monotonic,
    delay: sleep,
    save: async checkpoint => {
      const counted = await withPrompt(checkpoint, countPrompt)
      return resolution ? undefined : saveCheckpoint(app, id, model, counted)
    },
  })
  return {
    id,
    outputLimit: quote.outputLimit,
    amount: () => meter.amount() + toolPoints,
    observe(observer) {
      observers ??= []
      observers.push(observer)
    },
    noteAttempt: attempt => attempts.add(call, attempt),
    moveTo(caller) {
      if (caller !== call.caller) call = { ...call, caller }
    },
    progress(billedAs, delivered, counts) {
      if (resolution) return 'go'
      model = billedAs
      countPrompt = counts
      try {
        const progress = meter.progress(priceOf(app, call, quote, billedAs), delivered)
        if (observers) for (const each of observers) each.progressed?.(meter.amount() + toolPoints)
        return progress
      } catch {
        // The upstream sent invalid counts. `validUsage` replaces them in the charge and raises an alarm.
        return 'go'
      }
    },
    settle(result, orVoid = false) {
      const submit = () => {
        const counted = validUsage(app, result.usage, meter.delivered())
        return submitCharge(app, call, priceOf(app, call, quote, result.model), {
          ...{ result, counted, usage: boundUsage(app, quote, counted, meter) },
          ...{ outputLimit: quote.outputLimit, orVoid, attempts: attempts.take() },
        })
      }
      if (resolution) return resolution
      const charging = result.countPrompt ? replacePrompt(result).then(submit) : submit()
      resolution = observers ? charging.then(notifySettled(observers, result)) : charging
      return resolution
    },
    async detach(billedAs, write) {
      if (resolution) return
      await write(priceOf(app, call, quote, billedAs).priceId)
      resolution = Promise.resolve(noCharge)
      liveHolds(app).delete(id)
      if (observers) for (const each of observers) await each.detached?.()
    },
    release() {
      if (resolution) return undefined
      const releasing = release(app, call, attempts.take())
      resolution = releasing.then(() => noCharge)
      return releasing
    },
    async [Symbol.asyncDispose]() {
      await this.release()
    },
  }
}

const notifySettled =
  (observers: readonly HoldObserver[], result: CallResult) =>
  async (settled: Settled): Promise<Settled> => {
    for (const each of observers) await each.settled?.(result)
    return settled
  }

/** The usage is replaced in the result itself, whose owner counts it against the caller's limits too. */
const replacePrompt = async (result: CallResult): Promise<void> => {
  const input = await result.countPrompt!()
  result.usage = { ...result.usage, input }
}

/** A crash would charge this: the prompt as it is fair, while the reservation covers the cautious one. */
const withPrompt = async (
  checkpoint: Checkpoint,
  countPrompt: (() => Promise<PromptUsage>) | undefined,
): Promise<Checkpoint> => {
  if (!countPrompt) return checkpoint
  const delivered = { ...checkpoint.delivered, ...(await countPrompt()) }
  return { ...checkpoint, delivered, accrued: checkpoint.price.cost(delivered) }
}

const noCharge: Settled = { charged: 0, shortfall: 0 }

/** A model outside the quote is charged at its cached price, or else at the most expensive price of the quote. */
const priceOf = (app: App, call: Call, quote: Quote, model: string) => {
  const { group } = call.caller
  const quoted = quote.prices[quote.models.indexOf(model)]
  if (quoted && (!quote.others || quoted.group === group)) return quoted
  for (const other of quote.others ?? []) {
    const price = other.group === group && other.prices[other.models.indexOf(model)]
    if (price) return price
  }
  return priceCache(app).find(model, group) ?? quote.mostExpensive
}

const saveCheckpoint = async (app: App, id: number, model: string, checkpoint: Checkpoint) => {
  const { price, delivered, accrued, want } = checkpoint
  const usage = writeReceipt(price, { usage: delivered, model, estimated: true, finish: 'lost' })
  const outcome = await app.ledger.submit({ kind: 'checkpoint', id, accrued, usage, want })
  return outcome.ok ? outcome.granted : undefined
}

/** Takes up to `growth` further points into an open hold, and resolves with those that balance and cap covered. */
export const growHold = async (
  app: App,
  call: Call,
  { mostExpensive }: Quote,
  growth: number,
): Promise<number> => {
  const nothing = { delivered: noUsage(), accrued: 0, want: growth }
  try {
    return (await saveCheckpoint(app, call.id, '', { price: mostExpensive, ...nothing })) ?? 0
  } catch {
    // The hold is open, and covers the smallest answer. The ledger writer logs and counts its own failures.
    return 0
  }
}

type FinishedCall = {
  result: CallResult
  usage: Usage
  /** The usage before it was bounded for the charge. */
  counted: Usage
  outputLimit?: number | undefined
  orVoid?: boolean
  attempts?: SettleOperation['attempts']
}

/** `loggedAt`, in seconds, dates the log row of a call that ended earlier, so that each attempt writes the same row. */
export const submitCharge = (
  app: App,
  call: LoggedCall,
  price: EffectivePrice,
  { result, usage, counted, outputLimit, orVoid = false, attempts }: FinishedCall,
  loggedAt?: number,
) => {
  const charge = price.cost(usage)
  for (const kind in usage.tools)
    if (toolPriceOf(price.terms.tools, kind) === undefined)
      app.metrics.alarms.inc({ kind: 'tool_price' })
  if (usage.modes && !result.allowsUnpricedModes)
    reportUnpricedModes(app, call.id, price, usage.modes)
  const { model, requestedModel, estimated, estimatedReasoning, isEndRead, finish, cache } = result
  const { channelPromptTokens } = result
  const requested = requestedModel === model ? undefined : requestedModel
  const at = Math.floor(app.now() / 1000)
  const cost = costOfCall(app, result, counted)
  const operation: SettleOperation = {
    kind: 'settle',
    id: call.id,
    userId: call.caller.userId,
    tokenId: call.caller.tokenId,
    channelId: result.channelId,
    charge,
    priceId: price.priceId,
    usage: writeReceipt(price, {
      ...{ usage, model, requested, estimated, estimatedReasoning, isEndRead, finish, cache },
      ...{ channelPromptTokens, outputLimit, cost },
    }),
    at,
    attempts,
    stored: result.stored,
    log: app.settings().logs.LogConsumeEnabled
      ? writeLog(app, call, price, { result, usage, charge, outputLimit, cost }, loggedAt ?? at)
      : null,
  }
  app.telemetry?.addCharge(call.id, {
    input: inputTokens(usage),
    output: outputTokens(usage),
    cacheRead: cachedTokens(usage),
    cacheWrite: usage.cacheWrite5m + usage.cacheWrite1h,
    reasoning: usage.reasoning,
    ...{ points: charge, estimated },
  })
  return submitSettle(app, operation, orVoid)
}

/** The answer names a tier, speed or region without a ratio in the price: it is charged at 1, and the vendor's bill may differ. */
const reportUnpricedModes = (
  app: App,
  request: number,
  price: EffectivePrice,
  modes: readonly string[],
): void => {
  const known: Readonly<Record<string, string>> = price.terms.modes ?? {}
  const unpriced = modes.filter(each => known[each] === undefined)
  if (unpriced.length === 0) return
  app.metrics.alarms.inc({ kind: 'price_mode' })
  app.log.warn(
    { request, model: price.model, modes: unpriced },
    'a call was served without a ratio',
  )
}

/** A charge that the ledger writer refuses stays with the live hold, or the void of its hold does; the sweep submits it. */
export const submitSettle = async (
  app: App,
  operation: SettleOperation,
  orVoid = false,
): Promise<Settled> => {
  const live = liveHolds(app)
  try {
    const { charged, shortfall, isUnbounded } = await submitStorable(app, operation)
    live.delete(operation.id)
    wakeWaiting(app, operation.userId)
    if (shortfall > 0) countShortfall(app, operation, shortfall, isUnbounded)
    return { charged, shortfall }
  } catch (cause) {
    const { id, attempts } = operation
    live.set(id, { unsettled: orVoid ? { kind: 'void', id, attempts } : operation })
    const message = orVoid ? 'a withheld answer is not charged' : 'a charge is not durable yet'
    app.log.error({ err: cause, request: id }, message)
    throw cause instanceof Fault ? cause : new Fault('server.ledger', { cause })
  }
}

/** A hold that had a bound should have covered the charge: then a price, a size or a vendor's count is wrong. */
const countShortfall = (
  app: App,
  { id, channelId }: SettleOperation,
  points: number,
  isUnbounded = false,
) => {
  app.metrics.shortfalls.inc({ kind: isUnbounded ? 'unbounded' : 'other' }, points)
  if (isUnbounded) return
  app.metrics.alarms.inc({ kind: 'shortfall' })
  app.log.warn({ request: id, channel: channelId, points }, 'a call cost more than its hold')
}

export const submitVoid = async (app: App, operation: VoidOperation): Promise<void> => {
  await app.ledger.submit(operation)
  liveHolds(app).delete(operation.id)
}

/** Submits a charge whose texts the database refuses again without them, because no text may prevent a charge. */
const submitStorable = (app: App, operation: SettleOperation) =>
  app.ledger.submit(operation).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'server.failed') throw error
    app.log.error({ err: error, request: operation.id }, 'a charge is written without its texts')
    return app.ledger.submit(withoutTexts(operation))
  })

const withoutTexts = (operation: SettleOperation): SettleOperation => ({
  ...operation,
  usage: withoutModel(operation.usage),
  stored: undefined,
  log: operation.log && {
    ...operation.log,
    ...{ content: '', username: '', token_name: '', model_name: '', source_ip: '', metadata: '{}' },
  },
})

/** Never throws. If the void fails, the sweep finds the hold and releases it. */
const release = async (app: App, call: Call, attempts: VoidOperation['attempts']) => {
  try {
    await app.ledger.submit({ kind: 'void', id: call.id, attempts })
  } catch (error) {
    app.log.error({ err: error, request: call.id }, 'a hold is not released yet')
  } finally {
    liveHolds(app).delete(call.id)
    wakeWaiting(app, call.caller.userId)
  }
}

/**
 * A usage with valid counts only. An invalid count is replaced by the delivered tokens that the gateway counted, and an
 * alarm is raised: an upstream must neither empty a balance nor prevent a charge.
 */
export const validUsage = (app: App, usage: Usage, delivered: Usage): Usage => {
  if (usage.tools !== undefined && hasValidCounts(usage)) return usage
  const valid = noUsage()
  for (const each of tokenClasses) {
    valid[each] = usage[each]
    if (isTokenCount(usage[each])) continue
    app.metrics.alarms.inc({ kind: 'usage' })
    valid[each] = isTokenCount(delivered[each]) ? delivered[each] : 0
  }
  for (const [kind, calls] of Object.entries(usage.tools ?? {}))
    if (isTokenCount(calls)) valid.tools[kind] = calls
    else app.metrics.alarms.inc({ kind: 'usage' })
  return valid
}
