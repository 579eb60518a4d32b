import type { AvailableModel, Price } from '@hub/contract'
import { priceBook } from '../../billing/book.ts'
import type { App } from '../../core/app.ts'
import * as channels from '../../db/queries/channels.ts'
import * as groups from '../../db/queries/groups.ts'
import * as owners from '../../db/queries/owners.ts'
import * as prices from '../../db/queries/prices.ts'

/** The enabled groups that this visitor may use: public ones and their own. */
export const openGroups = async (app: App, own: string | undefined) =>
  (await groups.enabled(app.db)).filter(group => group.public === 1 || group.symbol === own)

/** Models that an enabled channel offers to a group the visitor may use, where they have a price. */
export const available = async (
  app: App,
  own: string | undefined,
): Promise<Record<string, AvailableModel>> => {
  const [offers, open, priceRows, ownerRows] = await Promise.all([
    channels.offers(app.db),
    openGroups(app, own),
    prices.all(app.db),
    owners.all(app.db),
  ])
  const usable = new Set(open.map(group => group.symbol))
  const stored = new Map(priceRows.map(row => [row.model, prices.asPrice(row)]))
  const names = new Map(ownerRows.map(owner => [owner.id, owner.name]))
  /** The price that a call would be charged by, found by the book that charges it. */
  const priceOf = (model: string, group: string): Price | undefined => {
    const priced = priceBook(app).find(model, group)
    if (!priced) return undefined
    return priced.model === '*' ? defaultPrice(priced.terms.input) : stored.get(priced.model)
  }

  const found = new Map<string, AvailableModel>()
  for (const offer of offers) {
    const shared = offer.group.split(',').filter(group => usable.has(group))
    if (shared.length === 0) continue
    for (const model of offer.models.split(',')) {
      const price = model.endsWith('*') ? undefined : priceOf(model, shared[0]!)
      if (!price) continue
      const known = found.get(model)?.groups ?? []
      const owned_by = names.get(price.channel_type) ?? ''
      found.set(model, { groups: [...new Set([...known, ...shared])].sort(), owned_by, price })
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

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
