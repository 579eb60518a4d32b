import { type CallCost, Fault, type Receipt } from '@hub/contract'
import { itemise } from '../../billing/calls/itemise.ts'
import { readReceipt, readTerms } from '../../billing/calls/read-receipt.ts'
import { formatCost } from '../../billing/costs/call-cost.ts'
import { costDigits } from '../../billing/costs/cost-terms.ts'
import { amountsOf, makeConverter } from '../../billing/margin/tally.ts'
import { modeRatios, termsAt } from '../../billing/prices/terms.ts'
import type { App } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import { noCosts } from '../../db/queries/cost-sums.ts'
import * as rows from '../../db/queries/receipts.ts'
import { parseDecimal, rescale } from '../../lib/decimal.ts'
import { makeDayFormatter } from '../../lib/time/calendar.ts'

const adminRole = 10

/** Reads the receipt of a charge from the ledger, which outlives the log row. Receipts of other users answer 404. */
export const receipt = async (app: App, caller: SignedInUser, id: number): Promise<Receipt> => {
  const row = await rows.find(app.db, id)
  if (!row || (row.user_id !== caller.userId && caller.role < adminRole))
    throw new Fault('resource.missing')
  const isLate = row.late_amount !== null
  const stored = readReceipt(isLate ? String(row.late_usage) : row.usage)
  const priceId = stored?.price ?? row.late_price_id ?? row.price_id
  const version = await rows.findVersion(app.db, priceId)
  if (!stored || !version)
    throw new Fault('resource.missing', { hint: 'This charge carries no receipt.' })
  const { terms, cost } = readTerms(version.body)
  const charged = row.amount + (row.late_amount ?? 0)
  const { input, output, type, group_ratio } = termsAt(terms, stored.usage)
  return {
    id: row.id,
    ...(row.task_id !== null && { task_id: row.task_id }),
    model: stored.model,
    requested_model: stored.requested,
    ...{ type, input, output, group_ratio },
    version: { id: version.id, since: version.created_at },
    ...itemise(terms, stored.usage),
    modes: Object.entries(modeRatios(terms, stored.usage) ?? {}).map(([mode, ratio]) => ({
      mode,
      ratio,
    })),
    cost: cost(stored.usage),
    charged,
    shortfall: row.shortfall ?? 0,
    estimated: stored.estimated,
    estimated_reasoning: stored.estimatedReasoning,
    end_read: stored.isEndRead,
    ...(stored.channelPromptTokens !== undefined && {
      channel_prompt_tokens: stored.channelPromptTokens,
    }),
    ...(stored.outputLimit !== undefined && { output_limit: stored.outputLimit }),
    finish: stored.finish,
    cached: stored.isCached,
    // No user ever sees what a call costs the operator.
    ...(caller.role >= adminRole && {
      operator: await readOperatorCost(app, stored.cost, { charged, at: row.at }),
    }),
    postings: [
      { kind: 'request', at: row.at, amount: row.amount },
      ...(isLate
        ? [{ kind: 'late' as const, at: Number(row.late_at), amount: Number(row.late_amount) }]
        : []),
    ],
  }
}

const readOperatorCost = async (
  app: App,
  cost: CallCost | undefined,
  call: { charged: number; at: number },
): Promise<Receipt['operator']> => {
  if (!cost) return undefined
  const { TimeZone, QuotaPerUnit } = app.settings().site
  const tally = makeConverter(app).tallyOf({
    ...{ ...noCosts, currency: cost.currency, day: makeDayFormatter(TimeZone)(call.at) },
    ...{ calls: 1n, charged: BigInt(call.charged), cost: parseCost(cost.amount) },
  })
  if (tally.unknownCalls > 0n) return { cost, cost_usd: null, margin_usd: null }
  const { margin } = amountsOf(tally, QuotaPerUnit)
  return { cost, cost_usd: formatCost(tally.cost), margin_usd: formatCost(margin) }
}

const parseCost = (amount: string): bigint => rescale(parseDecimal(amount)!, costDigits)
