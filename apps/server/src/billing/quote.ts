import { Fault } from '@hub/contract'
import { isTokenCount, noUsage } from '@hub/dialects/usage'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import type { UnboundedHold } from '../db/operations.ts'
import type { Reservation } from './open-hold.ts'
import { type EffectivePrice, priceCache } from './price-cache.ts'
import { pointsOfTools } from './prices/held-tools.ts'

/** The current price of each model in `models`, by index, and the points to reserve. */
type GroupQuote = {
  amount: number
  models: readonly string[]
  prices: readonly EffectivePrice[]
  /** The price with the highest estimate. Its estimate is `amount`. */
  mostExpensive: EffectivePrice
  toolPoints?: number
}

/** The quote of the caller's group. `amount` and `mostExpensive` cover the others as well. */
export type Quote = GroupQuote & {
  others?: readonly (GroupQuote & { group: string })[]
  /** The call may cost more than `amount`. */
  unbounded?: UnboundedHold
  /** The limit on the output of each answer that the vendor is sent, because balance and cap cover no more. */
  outputLimit?: number
  /** Tokens of all answers that the request allows. More are not charged. */
  outputMost?: number | undefined
  /** Points of `amount` for reasoning that a stream does not show; what it delivers may use the rest. */
  hidden?: number
  /** Points of `amount` for calls of tools, which the tokens that are delivered may not use. */
  toolPoints?: number
}

/** Throws `price.unknown` if a model that the call may be billed as has no price. */
export const makeQuote = (app: App, call: Call, reservation: Reservation): Quote => {
  const quote = quoteInGroup(app, call.caller.group, reservation)
  if (!reservation.others) return quote
  const others = reservation.others.map(({ group, models }) => ({
    group,
    ...quoteInGroup(app, group, { ...reservation, models }),
  }))
  const most = others.reduce<GroupQuote>((a, b) => (b.amount > a.amount ? b : a), quote)
  const { amount, mostExpensive, toolPoints = 0 } = most
  return { ...quote, amount, mostExpensive, toolPoints, others }
}

const quoteInGroup = (app: App, group: string, reservation: Reservation): GroupQuote => {
  const { models, tools } = reservation
  const { PreConsumedQuota } = app.settings().money
  // The array has its final length, because an array that grows allocates room for seventeen.
  const prices: EffectivePrice[] = new Array(models.length)
  let amount = 0
  let toolPoints = 0
  let mostExpensive: EffectivePrice | undefined
  for (let index = 0; index < models.length; index += 1) {
    const model = models[index]!
    const price = priceCache(app).find(model, group)
    if (!price) throw new Fault('price.unknown', { hint: `Model: ${model.slice(0, 100)}` })
    prices[index] = price
    let needed = estimate(price, reservation, PreConsumedQuota)
    if (tools) {
      const points = pointsOfTools(price.terms, tools)
      toolPoints = Math.max(toolPoints, points)
      needed = Math.min(needed + points, Number.MAX_SAFE_INTEGER)
    }
    if (!mostExpensive || needed > amount) mostExpensive = price
    amount = Math.max(amount, needed)
  }
  if (!mostExpensive) throw new Fault('price.unknown')
  const quote = { amount, models, prices, mostExpensive }
  return toolPoints > 0 ? { ...quote, toolPoints } : quote
}

/**
 * Output tokens that are reserved if the caller gave no limit, and the most that is reserved for a stream at its start. A
 * stream extends its reservation, so a client that always allows 64,000 tokens does not block a balance it will not use.
 * A whole answer cannot extend, so the caller's own limit is reserved.
 */
export const defaultOutput = 4096

/** Points that the call will most likely not exceed at one price. Throws `request.invalid` for numbers out of bounds. */
const estimate = (price: EffectivePrice, reservation: Reservation, preConsumed: number): number => {
  const { promptTokens, outputMax, n, stream } = reservation
  const shown = stream ? Math.min(outputMax ?? defaultOutput, defaultOutput) : outputMax
  const perAnswer = reservation.heldOutput ?? shown
  const output = (perAnswer ?? defaultOutput) * n
  const areValid =
    isTokenCount(promptTokens) &&
    isTokenCount(outputMax ?? 0) &&
    isTokenCount(perAnswer ?? 0) &&
    isTokenCount(n) &&
    isTokenCount(output)
  if (!areValid)
    throw new Fault('request.invalid', { hint: 'A number of tokens or answers is out of bounds.' })
  if (price.type === 'times' && (reservation.units ?? 1) > 1)
    throw new Fault('request.invalid', {
      hint: 'This model is sold by the call, so a call may ask for one result only. Send several calls.',
    })
  if (price.isFree) return 0
  const modes = dearModes(price, reservation.modes)
  if (reservation.usage) {
    const cost = price.cost({ ...reservation.usage, modes })
    return price.type === 'times' ? cost : Math.min(cost + preConsumed, Number.MAX_SAFE_INTEGER)
  }
  const usage = noUsage()
  usage.modes = modes
  usage.input = promptTokens
  if (price.type === 'times') return price.cost(usage)
  usage.output = output
  const textCost = price.cost(usage)
  usage.output = 0
  usage.reasoning = output
  // Some models price reasoning above text, and the caller's limit covers both.
  let cost = Math.max(textCost, price.cost(usage))
  if (reservation.cacheWrite) {
    usage.input = 0
    usage[reservation.cacheWrite === '1h' ? 'cacheWrite1h' : 'cacheWrite5m'] = promptTokens
    cost = Math.max(cost, price.cost(usage))
    usage.reasoning = 0
    usage.output = output
    cost = Math.max(cost, price.cost(usage))
  }
  return Math.min(cost + preConsumed, Number.MAX_SAFE_INTEGER)
}

/** The modes that make a call cost more: a vendor may serve it without those that make it cost less. */
const dearModes = (
  { terms }: EffectivePrice,
  modes: readonly string[] = none,
): readonly string[] => {
  const ratios: Readonly<Record<string, string>> = terms.modes ?? {}
  return modes.filter(each => Number(ratios[each] ?? 0) > 1)
}

const none: readonly string[] = []
