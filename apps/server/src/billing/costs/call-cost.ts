import type { CallCost } from '@hub/contract'
import { hasValidCounts, type Usage, withoutZeros } from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import { costKinds } from '../../db/operations.ts'
import * as rows from '../../db/queries/costs.ts'
import type { AttemptCostsTable } from '../../db/tables/costs.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import { formatDecimal } from '../../lib/decimal.ts'
import type { BilledAttempt, CallResult } from '../open-hold.ts'
import { costCache } from './cost-cache.ts'
import { costDigits, unitsOfAmount } from './cost-terms.ts'

/** A cost as it is stored: in the receipt, and in the columns of the log row. Without a version it is the vendor's figure. */
export type StoredCost = Pick<CallCost, 'currency' | 'kind' | 'version'> & { units: number }

/** Computes the vendor's charge for a call of this usage. Undefined: it is not known. */
export const costOfCall = (
  app: App,
  { model, channelId, bill, estimated, cache }: CallResult,
  counted: Usage,
): StoredCost | undefined => {
  if (cache === 'hit') return { units: 0, currency: 'USD', version: null, kind: 'computed' }
  if (!bill) return undefined
  const usage = bill.usage && hasValidCounts(bill.usage) ? bill.usage : counted
  return costOf(app, { model, channelId, bill, usage, estimated: estimated && usage === counted })
}

const costOf = (
  app: App,
  { model, channelId, bill, usage, estimated }: BilledAttempt,
): StoredCost | undefined => {
  const { upstreamModel, channelType, hasListPrices, ratio } = bill
  const costs = costCache(app)
  const models = upstreamModel === model ? [model] : [upstreamModel, model]
  const of = { channelId, channelType, models, hasListPrices }
  const list = costs.listOf(channelId) ?? costs.defaultListOf(of)
  if (list?.reported && usage.cost !== undefined) {
    const units = unitsOfAmount(usage.cost)
    if (units !== undefined) return { units, currency: 'USD', version: null, kind: 'vendor' }
  }
  const price = costs.find(of)
  if (!price) return undefined
  const { version, currency } = price
  return {
    units: price.units(usage, ratio),
    ...{ currency, version, kind: estimated ? 'estimated' : 'computed' },
  }
}

/** The row of an attempt that did not answer its call; `position` counts from 1. */
const attemptRow = (
  app: App,
  { id, caller }: Pick<Call, 'id' | 'caller'>,
  attempt: BilledAttempt,
  position: number,
): AttemptCostsTable => {
  const valid = hasValidCounts(attempt.usage)
  const { cost, cost_version, cost_kind } = costColumns(valid ? costOf(app, attempt) : undefined)
  return {
    ...{ call_id: id, attempt: position, at: Math.floor(app.now() / 1_000) },
    ...{ user_id: caller.userId, token_id: caller.tokenId },
    group_name: caller.billingTag || caller.group,
    ...{ channel_id: attempt.channelId, model_name: attempt.model },
    ...{ cost, cost_version, cost_kind },
    usage: JSON.stringify(valid ? withoutZeros(attempt.usage) : {}),
  }
}

/** The part of a receipt that administrators see. */
export const costInReceipt = (cost: StoredCost | undefined): CallCost | undefined =>
  cost && {
    amount: formatCost(cost.units),
    currency: cost.currency,
    version: cost.version,
    kind: cost.kind,
  }

type CostColumns = Pick<LogsTable, 'cost' | 'cost_version' | 'cost_kind'>

/** The columns of a log row. */
export const costColumns = (cost: StoredCost | undefined): Required<CostColumns> => ({
  cost: cost?.units ?? null,
  cost_version: cost?.version ?? null,
  cost_kind: cost ? costKinds[cost.kind] : null,
})

/** A whole number of 10⁻¹⁰ as a decimal number of units of currency, without zeros at its end. */
export const formatCost = (units: number | bigint): string =>
  trimZeros(formatDecimal({ digits: BigInt(units), scale: costDigits }))

const trimZeros = (text: string): string => text.replace(/\.?0+$/, '')

/** The attempts of one call that its vendors may bill although they did not answer it. */
export const noteAttempts = (app: App) => {
  let noted: AttemptCostsTable[] | undefined
  let count = 0
  let isTaken = false
  return {
    add(call: Pick<Call, 'id' | 'caller'>, attempt: BilledAttempt): void {
      count += 1
      const row = attemptRow(app, call, attempt, count)
      // A cancelled attempt may end after its call was charged.
      if (isTaken) write(app, row)
      else noted = [...(noted ?? []), row]
    },
    /** The rows for the commit that ends the call. */
    take(): readonly AttemptCostsTable[] | undefined {
      isTaken = true
      return noted
    },
  }
}

const write = (app: App, row: AttemptCostsTable): void => {
  rows.addAttempts(app.callDb, [row]).catch(error => {
    app.log.error({ err: error, request: row.call_id }, 'the cost of an attempt is not written')
  })
}
