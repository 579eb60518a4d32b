import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import { type Priced, priceBook } from './book.ts'
import { estimate } from './calls/estimate.ts'
import type { Reservation } from './held.ts'

/** The prices of this moment, name by name, and the points to reserve: what the dearest of them needs. */
export type Quote = {
  amount: number
  models: readonly string[]
  prices: readonly Priced[]
  dearest: Priced
}

/** Every name that the call may be billed as must have a price, or nothing is sent. */
export const makeQuote = (app: App, call: Call, reservation: Reservation): Quote => {
  const { models } = reservation
  const { PreConsumedQuota } = app.settings().money
  // As long as it will be: a list that grows takes room for seventeen, and most calls have one name.
  const prices: Priced[] = new Array(models.length)
  let amount = 0
  let dearest: Priced | undefined
  for (let at = 0; at < models.length; at += 1) {
    const model = models[at]!
    const priced = priceBook(app).find(model, call.caller.group)
    if (!priced) throw new Fault('price.unknown', { hint: `Model: ${model.slice(0, 100)}` })
    prices[at] = priced
    const needed = estimate(priced, reservation, PreConsumedQuota)
    if (!dearest || needed > amount) dearest = priced
    amount = Math.max(amount, needed)
  }
  if (!dearest) throw new Fault('price.unknown')
  return { amount, models, prices, dearest }
}
