import { noUsage } from '@hub/dialects'
import { type BatchPrice, findBatchPrices } from '../../billing/calls/batch-prices.ts'
import { openHold } from '../../billing/calls/submit-hold.ts'
import type { OpenHold, Reservation } from '../../billing/open-hold.ts'
import { addUsage, scaleUsage } from '../../billing/usage.ts'
import type { App } from '../../core/app.ts'
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
 * that it did not detach. The first has the id of the request.
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
  const open = async (group: PlannedGroup) => {
    const price = prices.get(group.model)!.find(each => each.above === group.above)!
    const requestId = holds.length === 0 ? context.id : app.ledger.nextId()
    const call = { ...callOf(context), id: requestId }
    const amount = mostOf(price, group)
    const quote = { amount, models: [group.model], prices: [price], mostExpensive: price }
    const openOne = () => openHold(app, call, quote)
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

/** Some models price reasoning above text, and the limit of the request covers both. */
const mostOf = ({ cost }: BatchPrice, { usage }: PlannedGroup): number =>
  Math.max(cost(usage), cost({ ...usage, output: 0, reasoning: usage.output }))

/** The money limits of the token see the batch at its own price. Its tokens are none of the minute's. */
const limitsOf = (groups: readonly PlannedGroup[], ratio: string): Reservation => {
  const models = [...new Set(groups.map(each => each.model))]
  const sum = groups.reduce((total, each) => addUsage(total, each.usage), noUsage())
  const usage = scaleUsage(sum, Number(ratio))
  return { models, promptTokens: 0, outputMax: 0, n: 1, stream: false, usage }
}
