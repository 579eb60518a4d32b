import { Fault, type Receipt } from '@hub/contract'
import { itemise } from '../../billing/calls/itemise.ts'
import { readReceipt, readTerms } from '../../billing/calls/read-receipt.ts'
import { modeRatios, termsAt } from '../../billing/prices/terms.ts'
import type { App } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/receipts.ts'

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
    charged: row.amount + (row.late_amount ?? 0),
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
    postings: [
      { kind: 'request', at: row.at, amount: row.amount },
      ...(isLate
        ? [{ kind: 'late' as const, at: Number(row.late_at), amount: Number(row.late_amount) }]
        : []),
    ],
  }
}
