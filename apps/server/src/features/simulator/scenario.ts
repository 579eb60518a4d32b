import type { Price } from '@hub/contract'
import { readReceipt, readTerms } from '../../billing/calls/read-receipt.ts'
import { type CostCalculator, prepareCost } from '../../billing/price.ts'
import { columnsOf } from '../../billing/prices/columns.ts'
import { type Terms, termsOf } from '../../billing/prices/terms.ts'
import { toolPrices } from '../../billing/prices/tool-prices.ts'
import type { App } from '../../core/app.ts'
import { listPrices } from '../../db/queries/price-versions.ts'
import type { listChargesAfter } from '../../db/queries/receipts.ts'
import { listVersionBodies } from '../../db/queries/receipts.ts'
import { formatNumber } from '../../lib/decimal.ts'

type Row = Awaited<ReturnType<typeof listChargesAfter>>[number]
export type Charge = { model: string; charged: number; simulated: number }

type PriceScenario = { prices: Price[]; groups: { symbol: string; ratio: number }[] }
type Version = CostCalculator & { terms: Terms }

/** Limits the cache of prepared costs. */
const costsMax = 20_000

/**
 * Makes a function that calculates what requests would have cost under changed prices. Unchanged terms are those of the
 * original charge, and the arithmetic is billing's. A row without a receipt gives undefined.
 */
export const makeScenario = async (app: App, { prices, groups }: PriceScenario) => {
  const changed = new Map(prices.map(price => [price.model, columnsOf(price)]))
  // A changed prefix price applies only when no stored name matches more closely, so those names are needed.
  const names = new Set([...(await listPrices(app.db)).map(row => row.model), ...changed.keys()])
  const ratios = new Map(groups.map(({ symbol, ratio }) => [symbol, formatNumber(ratio)]))
  const versions = new Map<number, Version>()
  const costs = new Map<string, CostCalculator>()

  const loadVersions = async (rows: Row[]) => {
    const ids = new Set<number>()
    for (const { price_id } of rows)
      if (price_id !== null && !versions.has(price_id)) ids.add(price_id)
    if (ids.size === 0) return
    for (const { id, body } of await listVersionBodies(app.db, [...ids]))
      versions.set(id, readTerms(body))
  }

  const changedTerms = (terms: Terms, model: string, group: string): Terms => {
    const name = findPriceName(names, model)
    const row = name === undefined ? undefined : changed.get(name)
    const ratio = ratios.get(group) ?? terms.group_ratio
    if (!row) return { ...terms, group_ratio: ratio }
    return termsOf(row, ratio, toolPrices(app.settings().site.QuotaPerUnit, row))
  }

  const costOf = (version: number, terms: Terms, model: string, group: string): CostCalculator => {
    const key = JSON.stringify([version, model, group])
    const cached = costs.get(key)
    if (cached) return cached
    if (costs.size >= costsMax) costs.clear()
    const made = prepareCost(changedTerms(terms, model, group))
    costs.set(key, made)
    return made
  }

  const simulate = (row: Row): Charge | undefined => {
    const receipt = row.usage === null ? undefined : readReceipt(row.usage)
    const version = versions.get(row.price_id ?? 0)
    if (!receipt || !version) return undefined
    const { model, usage } = receipt
    const charged = version.cost(usage)
    const changedCost = costOf(row.price_id ?? 0, version.terms, model, groupOf(row)).cost(usage)
    // A charge below its cost met an empty balance or a crash, so the simulated charge has the same limit.
    const simulated = row.quota < charged ? Math.min(changedCost, row.quota) : changedCost
    return { model, charged: row.quota, simulated }
  }

  return async (rows: Row[]): Promise<(Charge | undefined)[]> => {
    await loadVersions(rows)
    return rows.map(simulate)
  }
}

/** Finds the price of a model as billing does: by exact name, then by the longest prefix. */
const findPriceName = (names: ReadonlySet<string>, model: string): string | undefined => {
  if (names.has(model)) return model
  for (let length = model.length; length > 0; length -= 1) {
    const prefix = `${model.slice(0, length)}*`
    if (names.has(prefix)) return prefix
  }
  return undefined
}

const groupOf = ({ metadata }: Row): string => {
  const { group_name } = JSON.parse(metadata || '{}') as { group_name?: string }
  return group_name ?? ''
}
