import { createHash } from 'node:crypto'
import type { Settings } from '@hub/contract'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import * as priceRows from '../db/queries/price-versions.ts'
import { singleflight } from '../lib/singleflight.ts'
import { type CostCalculator, prepareCost } from './price.ts'
import { type PriceRow, type Terms, termsOf } from './prices/terms.ts'
import { toolPricesBy } from './prices/tool-prices.ts'

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

/** The price of a stored name for one group. Its calculator is made at the first call: most of a thousand are never used. */
type GroupPrice = {
  priceId: number
  row: PriceRow
  group: string
  terms: Terms
  price: EffectivePrice | undefined
}
/** By stored name. */
type GroupPrices = Map<string, GroupPrice>
type Snapshot = {
  byGroup: Map<string, GroupPrices>
  prefixLengths: number[]
  settings: string
  prepared: Prepared
}
type PreparedTerms = { terms: Terms; hash: string }
/** By price with the settings that it depends on, then by group ratio. */
type Prepared = Map<string, Map<string, PreparedTerms>>

/** Prices × group ratios, in memory. Loading also writes new price versions, so the request path never writes one. */
export const priceCache = appScoped((app): PriceCache => {
  let snapshot: Snapshot = {
    ...{ byGroup: new Map(), prefixLengths: [], settings: '', prepared: new Map() },
  }
  let isLoading = false
  const load = singleflight(async () => {
    isLoading = true
    try {
      snapshot = await readSnapshot(app, snapshot.prepared)
    } finally {
      isLoading = false
    }
  })
  /** The old snapshot stays in use until the new one is complete, so a failed read refuses no call. */
  const reload = () => {
    load().catch(error => app.log.error({ err: error }, 'prices could not be read again'))
  }
  let lastSettings = app.settings()
  for (const topic of ['prices', 'groups'] as const) app.changes.on(topic, load)
  // Most settings concern no price. A load that runs may have read the settings before the change.
  app.changes.on('settings', () => {
    if (isLoading || settingsKey(app.settings()) !== snapshot.settings) return load()
  })

  return {
    load,
    find(model, group) {
      if (app.settings() !== lastSettings) {
        lastSettings = app.settings()
        if (settingsKey(app.settings()) !== snapshot.settings) reload()
      }
      const prices = snapshot.byGroup.get(group)
      const entry = prices && findIn(prices, snapshot.prefixLengths, model)
      return entry && priceOf(entry)
    },
  }
})

const priceOf = (entry: GroupPrice): EffectivePrice => {
  const { priceId, row, group, terms } = entry
  entry.price ??= { priceId, model: row.model, type: row.type, group, terms, ...prepareCost(terms) }
  return entry.price
}

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

/** Terms that were prepared for the snapshot before are used again: a change concerns few of a thousand. */
const readSnapshot = async (app: App, preparedBefore: Prepared): Promise<Snapshot> => {
  // Read before anything is awaited, so that the terms are those of the key.
  const appSettings = app.settings()
  const settings = settingsKey(appSettings)
  const [rows, groups] = await Promise.all([
    priceRows.listPrices(app.callDb),
    priceRows.listGroupRatios(app.callDb),
  ])
  const toolsOf = toolPricesBy(appSettings.site.QuotaPerUnit)
  const prepared: Prepared = new Map()
  const byHash = new Map<string, PreparedTerms>()
  const termsFor = (row: PriceRow) => {
    const key = JSON.stringify([row, settings])
    const before = preparedBefore.get(key)
    const byRatio = new Map<string, PreparedTerms>()
    prepared.set(key, byRatio)
    return (ratio: string): PreparedTerms => {
      const found = before?.get(ratio) ?? prepareTerms(row, ratio, toolsOf(row))
      const shared = byHash.get(found.hash) ?? found
      byHash.set(found.hash, shared)
      byRatio.set(ratio, shared)
      return shared
    }
  }
  const drafts = [...rows, ...defaultPrice(appSettings)].flatMap(row =>
    draftsOf(app, row, groups, termsFor),
  )
  const bodies = new Map([...byHash].map(([hash, { terms }]) => [hash, JSON.stringify(terms)]))
  const ids = await priceRows.findOrCreateVersions(app.callDb, bodies, Math.floor(app.now() / 1000))
  const byGroup = new Map<string, GroupPrices>(groups.map(({ symbol }) => [symbol, new Map()]))
  for (const { row, symbol, hash, terms } of drafts) {
    const priceId = ids.get(hash)
    if (priceId === undefined) continue
    byGroup.get(symbol)?.set(row.model, { priceId, row, group: symbol, terms, price: undefined })
  }
  const prefixes = rows.filter(row => row.model.endsWith('*')).map(row => row.model.length - 1)
  const prefixLengths = [...new Set(prefixes)].sort((a, b) => b - a)
  return { byGroup, prefixLengths, settings, prepared }
}

/** The terms of a price for each group. An unreadable price is logged and left out, so that it is not free. */
const draftsOf = (
  app: App,
  row: PriceRow,
  groups: { symbol: string; ratio: string }[],
  termsFor: (row: PriceRow) => (ratio: string) => PreparedTerms,
) => {
  try {
    const termsAt = termsFor(row)
    return groups.map(({ symbol, ratio }) => ({ ...termsAt(ratio), row, symbol }))
  } catch (error) {
    app.log.error({ err: error, model: row.model }, 'a price cannot be read')
    return []
  }
}

const prepareTerms = (
  row: PriceRow,
  ratio: string,
  tools: Record<string, string>,
): PreparedTerms => {
  const terms = termsOf(row, ratio, tools)
  const hash = createHash('sha256').update(JSON.stringify(terms)).digest('hex')
  return { terms, hash }
}

const defaultPrice = ({ money }: Settings): PriceRow[] => {
  const multiplier = money.DefaultPrice
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
const settingsKey = ({ money, site }: Settings): string =>
  `${money.DefaultPrice} ${site.QuotaPerUnit}`
