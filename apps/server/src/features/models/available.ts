import type { AvailableModel, Price } from '@hub/contract'
import { priceCache } from '../../billing/price-cache.ts'
import { withDefaultModes } from '../../billing/prices/default-modes.ts'
import type { App } from '../../core/app.ts'
import * as channels from '../../db/queries/channels.ts'
import * as groups from '../../db/queries/groups.ts'
import * as owners from '../../db/queries/owners.ts'
import * as prices from '../../db/queries/prices.ts'
import { vendorInfoOf } from '../../relay/channels/model-sizes.ts'
import { listVirtualModels } from '../../relay/virtual-models/list.ts'

/** Returns the enabled groups that a visitor may use: public ones and the visitor's own. */
export const listUsableGroups = async (app: App, ownGroup: string | undefined) =>
  (await groups.listEnabled(app.db)).filter(
    group => group.public === 1 || group.symbol === ownGroup,
  )

/** Returns the priced models that an enabled channel offers to a group the visitor may use. */
export const listAvailableModels = async (
  app: App,
  own: string | undefined,
): Promise<Record<string, AvailableModel>> => {
  const [offers, usableGroups, priceRows, ownerRows] = await Promise.all([
    channels.listOffers(app.db),
    listUsableGroups(app, own),
    prices.listAll(app.db),
    owners.listAll(app.db),
  ])
  const usableSymbols = new Set(usableGroups.map(group => group.symbol))
  const storedPrices = new Map(
    priceRows.map(row => [row.model, withDefaultModes(prices.asPrice(row))]),
  )
  const ownerNames = new Map(ownerRows.map(owner => [owner.id, owner.name]))
  /** Looks the price up in the cache that charges calls, so that both always agree. */
  const priceOf = (model: string, group: string): Price | undefined => {
    const priced = priceCache(app).find(model, group)
    if (!priced) return undefined
    return priced.model === '*' ? defaultPrice(priced.terms.input) : storedPrices.get(priced.model)
  }

  const models = new Map<string, AvailableModel>()
  for (const offer of offers) {
    const shared = offer.group.split(',').filter(group => usableSymbols.has(group))
    if (shared.length === 0) continue
    for (const model of offer.models.split(',')) {
      const price = model.endsWith('*') ? undefined : priceOf(model, shared[0]!)
      if (!price) continue
      const groupsSoFar = models.get(model)?.groups ?? []
      const owned_by = ownerNames.get(price.channel_type) ?? ''
      models.set(model, {
        groups: [...new Set([...groupsSoFar, ...shared])].sort(),
        owned_by,
        price,
        ...vendorInfoOf(model),
      })
    }
  }
  for (const [name, model] of await listVirtual(app, usableSymbols, priceOf))
    models.set(name, model)
  return Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1)))
}

type PriceOf = (model: string, group: string) => Price | undefined

/** The virtual models of these groups, at the most and the least that a candidate costs before the ratio of its group. */
const listVirtual = async (
  app: App,
  groups: ReadonlySet<string>,
  priceOf: PriceOf,
): Promise<Map<string, AvailableModel>> => {
  const listed = new Map<string, AvailableModel>()
  for (const group of [...groups].sort())
    for (const { name, prices } of await listVirtualModels(app, group)) {
      const before = listed.get(name)
      const found = prices.flatMap(each => priceOf(each.model, each.group) ?? [])
      const all = [...(before ? [before.price, before.price_min ?? before.price] : []), ...found]
      if (all.length === 0) continue
      // The candidates stay hidden.
      const sorted = all.map(price => ({ ...price, model: name })).sort(byCost)
      listed.set(name, {
        groups: [...(before?.groups ?? []), group],
        owned_by: '',
        price: sorted.at(-1)!,
        price_min: sorted[0]!,
      })
    }
  return listed
}

/** A price per call cannot be compared with one per token, and comes last. */
const byCost = (a: Price, b: Price): number =>
  Number(a.type === 'times') - Number(b.type === 'times') || a.input + a.output - b.input - b.output

const defaultPrice = (multiplier: string): Price => ({
  model: 'default',
  type: 'tokens',
  channel_type: 0,
  input: Number(multiplier),
  output: Number(multiplier),
  locked: false,
  extra_ratios: null,
  tiers: null,
  tool_prices: null,
})
