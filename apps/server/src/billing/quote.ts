import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import { estimate } from './calls/estimate.ts'
import type { Reservation } from './open-hold.ts'
import { type EffectivePrice, priceCache } from './price-cache.ts'

/** The current price of each model in `models`, by index, and the points to reserve. */
export type Quote = {
  amount: number
  models: readonly string[]
  prices: readonly EffectivePrice[]
  /** The price with the highest estimate. Its estimate is `amount`. */
  mostExpensive: EffectivePrice
}

/** Throws `price.unknown` if a model that the call may be billed as has no price. */
export const makeQuote = (app: App, call: Call, reservation: Reservation): Quote => {
  const { models } = reservation
  const { PreConsumedQuota } = app.settings().money
  // The array has its final length, because an array that grows allocates room for seventeen.
  const prices: EffectivePrice[] = new Array(models.length)
  let amount = 0
  let mostExpensive: EffectivePrice | undefined
  for (let index = 0; index < models.length; index += 1) {
    const model = models[index]!
    const price = priceCache(app).find(model, call.caller.group)
    if (!price) throw new Fault('price.unknown', { hint: `Model: ${model.slice(0, 100)}` })
    prices[index] = price
    const needed = estimate(price, reservation, PreConsumedQuota)
    if (!mostExpensive || needed > amount) mostExpensive = price
    amount = Math.max(amount, needed)
  }
  if (!mostExpensive) throw new Fault('price.unknown')
  return { amount, models, prices, mostExpensive }
}
