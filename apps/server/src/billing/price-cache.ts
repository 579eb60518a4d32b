import { createHash } from 'node:crypto'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import * as priceRows from '../db/queries/price-versions.ts'
import { singleflight } from '../lib/singleflight.ts'
import { type CostCalculator, prepareCost } from './price.ts'
import { type PriceRow, type Terms, termsOf } from './prices/terms.ts'
import { toolPrices } from './prices/tool-prices.ts'

/** The current price of a model for one group. A call keeps it from admission to charge, whatever changes later. */
export type EffectivePrice = CostCalculator & {
  /** The row of `price_versions` with these terms. */
  priceId: number
  /** The stored name that matched: a model, a prefix that ends in `*`, or `*` for the default price. */
  model: string
  type: 'tokens' | 'times'
  group: string
  terms: Terms
}

export type PriceCache = {
  /** Reads prices and groups again. Called at the start, and then by change notifications. */
  load(): Promise<void>
  /** Undefined: the model has no price for this group, so the call is refused. */
  find(model: string, group: string): EffectivePrice | undefined
}

/** The prices of one group, by stored name. */
type GroupPrices = Map<string, EffectivePrice>
type Snapshot = { byGroup: Map<string, GroupPrices>; prefixLengths: number[]; settings: string }

/** Prices × group ratios, in memory. Loading also writes new price versions, so the request path never writes one. */
export const priceCache = appScoped((app): PriceCache => {
  let snapshot: Snapshot = { byGroup: new Map(), prefixLengths: [], settings: '' }
  const load = singleflight(async () => {
    snapshot = await readSnapshot(app)
  })
  /** The old snapshot stays in use until the new one is complete, so a failed read refuses no call. */
  const reload = () => {
    load().catch(error => app.log.error({ err: error }, 'prices could not be read again'))
  }
  let lastSettings = app.settings()
  for (const topic of ['prices', 'groups', 'settings'] as const) app.changes.on(topic, load)

  return {
    load,
    find(model, group) {
      if (app.settings() !== lastSettings) {
        lastSettings = app.settings()
        if (settingsKey(app) !== snapshot.settings) reload()
      }
      const prices = snapshot.byGroup.get(group)
      return prices && findIn(prices, snapshot.prefixLengths, model)
    },
  }
})

/** Finds the exact name, then the longest prefix, then the default price. */
const findIn = (prices: GroupPrices, prefixLengths: readonly number[], model: string) => {
  const exact = prices.get(model)
  if (exact) return exact
  for (const length of prefixLengths) {
    const match = length <= model.length && prices.get(`${model.slice(0, length)}*`)
    if (match) return match
  }
  return prices.get('*')
}

const readSnapshot = async (app: App): Promise<Snapshot> => {
  const settings = settingsKey(app)
  const [rows, groups] = await Promise.all([
    priceRows.listPrices(app.callDb),
    priceRows.listGroupRatios(app.callDb),
  ])
  const drafts = [...rows, ...defaultPrice(app)].flatMap(row => draftsOf(app, row, groups))
  const bodies = new Map(drafts.map(({ hash, body }) => [hash, body]))
  const ids = await priceRows.findOrCreateVersions(app.callDb, bodies, Math.floor(app.now() / 1000))
  const costs = new Map(
    drafts.map(({ hash, body, terms }) => [hash, { terms, body, ...prepareCost(terms) }]),
  )
  const byGroup = new Map<string, GroupPrices>(groups.map(({ symbol }) => [symbol, new Map()]))
  for (const { hash, row, symbol } of drafts) {
    const { terms, isFree, cost } = costs.get(hash)!
    const priceId = ids.get(hash)
    if (priceId === undefined) continue
    const { model, type } = row
    byGroup.get(symbol)?.set(model, { priceId, model, type, group: symbol, terms, isFree, cost })
  }
  const prefixes = rows.filter(row => row.model.endsWith('*')).map(row => row.model.length - 1)
  return { byGroup, prefixLengths: [...new Set(prefixes)].sort((a, b) => b - a), settings }
}

/** The terms of a price for each group. An unreadable price is logged and left out, so that it is not free. */
const draftsOf = (app: App, row: PriceRow, groups: { symbol: string; ratio: string }[]) => {
  try {
    const tools = toolPrices(app.settings().site.QuotaPerUnit, row)
    return groups.map(({ symbol, ratio }) => {
      const terms = termsOf(row, ratio, tools)
      const body = JSON.stringify(terms)
      return { row, symbol, terms, body, hash: createHash('sha256').update(body).digest('hex') }
    })
  } catch (error) {
    app.log.error({ err: error, model: row.model }, 'a price cannot be read')
    return []
  }
}

const defaultPrice = (app: App): PriceRow[] => {
  const multiplier = app.settings().money.DefaultPrice
  if (multiplier === '') return []
  return [
    {
      model: '*',
      type: 'tokens',
      channel_type: 0,
      input: multiplier,
      output: multiplier,
      extra_ratios: null,
    },
  ]
}

/** Equal keys mean that no setting that prices depend on has changed. */
const settingsKey = (app: App): string =>
  `${app.settings().money.DefaultPrice} ${app.settings().site.QuotaPerUnit}`
