import type { CallCost } from '@hub/contract'
import { hasValidCounts, type Usage } from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import { costKinds } from '../../db/operations.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import { formatDecimal } from '../../lib/decimal.ts'
import type { CallResult } from '../open-hold.ts'
import { costCache } from './cost-cache.ts'
import { costDigits } from './cost-terms.ts'

/** A cost as it is stored: in the receipt, and in the columns of the log row. */
export type StoredCost = Pick<CallCost, 'currency' | 'kind'> & { units: number; version: number }

/** What the vendor charges for a call of this usage. Undefined: not known, or no vendor was sent it. */
export const costOfCall = (
  app: App,
  { model, channelId, bill, estimated, cache }: CallResult,
  counted: Usage,
): StoredCost | undefined => {
  if (!bill || cache === 'hit') return undefined
  const { upstreamModel, channelType, hasListPrices } = bill
  const models = upstreamModel === model ? [model] : [upstreamModel, model]
  const price = costCache(app).find({ channelId, channelType, models, hasListPrices })
  if (!price) return undefined
  const { version, currency } = price
  const usage = bill.usage && hasValidCounts(bill.usage) ? bill.usage : counted
  const kind = estimated && usage === counted ? 'estimated' : 'computed'
  return { units: price.units(usage), currency, version, kind }
}

/** The part of a receipt that administrators see. */
export const costInReceipt = (cost: StoredCost | undefined): CallCost | undefined =>
  cost && {
    amount: formatCost(cost.units),
    currency: cost.currency,
    version: cost.version,
    kind: cost.kind,
  }

/** The columns of a log row. */
export const costColumns = (
  cost: StoredCost | undefined,
): Pick<LogsTable, 'cost' | 'cost_version' | 'cost_kind'> => ({
  cost: cost?.units ?? null,
  cost_version: cost?.version ?? null,
  cost_kind: cost ? costKinds[cost.kind] : null,
})

/** A whole number of 10⁻¹⁰ as a decimal number of units of currency, without zeros at its end. */
export const formatCost = (units: number | bigint): string =>
  trimZeros(formatDecimal({ digits: BigInt(units), scale: costDigits }))

const trimZeros = (text: string): string => text.replace(/\.?0+$/, '')
