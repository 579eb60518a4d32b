import { noUsage, type Usage } from '@hub/dialects'
import { type BatchPrice, findBatchPrices } from '../../billing/calls/batch-prices.ts'
import { isExhausted, isHeld, openHold } from '../../billing/calls/submit-hold.ts'
import type { OpenHold, Reservation } from '../../billing/open-hold.ts'
import type { Quote } from '../../billing/quote.ts'
import { addUsage, scaleUsage } from '../../billing/usage.ts'
import type { App } from '../../core/app.ts'
import { unboundedHolds } from '../../db/operations.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import type { Admission } from '../../relay/limits/admit.ts'
import type { PlannedGroup } from './plan.ts'

/** The hold of one model and tier of a batch. */
export type BatchHold = {
  group: PlannedGroup
  price: BatchPrice
  hold: OpenHold
  requestId: number
}

type HoldOptions = { groups: readonly PlannedGroup[]; ratio: string; admission: Admission }

/**
 * Reserves what the requests of a batch may use, one hold for each model and tier, runs `work`, and releases the holds
 * that it did not detach. The first has the id of the request. Where balance and cap do not cover the usual calls of tools,
 * none of those that nothing bounds is held, and the batch is the payer's only call without a bound.
 */
export const withBatchHolds = async (
  app: App,
  context: AuthenticatedContext,
  { groups, ratio, admission }: HoldOptions,
  work: (holds: readonly BatchHold[]) => Promise<void>,
): Promise<void> => {
  const { group } = context.caller
  const prices = new Map<string, BatchPrice[]>()
  for (const model of new Set(groups.map(each => each.model)))
    prices.set(model, await findBatchPrices(app, { model, group, ratio }))
  const holds: BatchHold[] = []
  let isAlone = false
  // Results of tools may put an answer into another tier than that of its prompt.
  const mayExceed = groups.some(({ tools }) => tools.usual !== tools.bounded)
  const open = async (group: PlannedGroup) => {
    const price = prices.get(group.model)!.find(each => each.above === group.above)!
    const requestId = holds.length === 0 ? context.id : app.ledger.nextId()
    const call = { ...callOf(context), id: requestId }
    const quotes = quotesOf(price, group, mayExceed)
    const openOne = async () => {
      const [usual, bounded] = quotes
      try {
        return await openHold(app, call, usual)
      } catch (error) {
        if (!bounded || !(isExhausted(error) || isHeld(error))) throw error
        // A further hold of this batch does not stand in its own way.
        const unbounded = isAlone ? unboundedHolds.assumed : unboundedHolds.alone
        const hold = await openHold(app, call, { ...bounded, unbounded })
        isAlone = true
        return hold
      }
    }
    // The limits count the batch once, with its first hold.
    const isFirst = holds.length === 0
    const hold = await (isFirst
      ? admission.open(context, limitsOf(groups, ratio), openOne)
      : openOne())
    holds.push({ group, price, requestId, hold })
  }
  try {
    for (const group of groups) await open(group)
    await work(holds)
  } finally {
    for (const { hold } of holds) await hold.release()
  }
}

const callOf = ({ caller, ip, startedAt }: AuthenticatedContext) => ({ caller, ip, startedAt })

/** A quote with the usual calls of tools, and one without those that nothing bounds, if there are any. */
const quotesOf = (
  price: BatchPrice,
  { model, usage, tools }: PlannedGroup,
  mayExceed: boolean,
): [Quote, Quote?] => {
  const tokens = mostOf(price, usage)
  const quote = { models: [model], prices: [price], mostExpensive: price }
  const quoteOf = (points: number): Quote => ({
    ...quote,
    ...(mayExceed && { unbounded: unboundedHolds.assumed }),
    amount: Math.min(tokens + points, Number.MAX_SAFE_INTEGER),
  })
  const usual = quoteOf(tools.usual)
  return tools.usual === tools.bounded ? [usual] : [usual, quoteOf(tools.bounded)]
}

/** Some models price reasoning above text, and the limit of the request covers both. */
const mostOf = ({ cost }: BatchPrice, usage: Usage): number =>
  Math.max(cost(usage), cost({ ...usage, output: 0, reasoning: usage.output }))

/** The money limits of the token see the batch at its own price. Its tokens are none of the minute's. */
const limitsOf = (groups: readonly PlannedGroup[], ratio: string): Reservation => {
  const models = [...new Set(groups.map(each => each.model))]
  const sum = groups.reduce((total, each) => addUsage(total, each.usage), noUsage())
  const usage = scaleUsage(sum, Number(ratio))
  return { models, promptTokens: 0, outputMax: 0, n: 1, stream: false, usage }
}
