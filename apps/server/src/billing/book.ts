import { createHash } from 'node:crypto'
import type { App } from '../core/app.ts'
import { perApp } from '../core/per-app.ts'
import * as priceBooks from '../db/queries/price-book.ts'
import { coalesce } from '../lib/coalesce.ts'
import { type Cost, prepareCost } from './price.ts'
import { type PriceRow, type Terms, termsOf } from './prices/terms.ts'
import { toolPrices } from './prices/tool-prices.ts'

/** A price as it is at this moment for one group: what a call admitted now is charged by, whatever changes later. */
export type Priced = Cost & {
  /** The row of `price_versions` that holds these terms. */
  priceId: number
  /** The stored name that matched: a model, a prefix ending in `*`, or `*` for the default price. */
  model: string
  type: 'tokens' | 'times'
  group: string
  terms: Terms
}

export type PriceBook = {
  /** Reads prices and groups anew. Called at start; afterwards changes are heard by topic. */
  load(): Promise<void>
  /** Undefined: this model has no price for this group, so the call is refused. */
  find(model: string, group: string): Priced | undefined
}

/** What one group pays, by stored name. */
type Page = Map<string, Priced>
type Pages = { byGroup: Map<string, Page>; prefixLengths: number[]; settings: string }

/** Prices × group ratios, in memory. Price versions are written here, off the request path. */
export const priceBook = perApp((app): PriceBook => {
  let pages: Pages = { byGroup: new Map(), prefixLengths: [], settings: '' }
  const load = coalesce(async () => {
    pages = await readPages(app)
  })
  /** The old pages stay good until the new ones are there: a failed reading refuses nobody. */
  const reload = () => {
    load().catch(error => app.log.error({ err: error }, 'prices could not be read again'))
  }
  let known = app.settings()
  for (const topic of ['prices', 'groups', 'settings'] as const) app.topics.on(topic, load)

  return {
    load,
    find(model, group) {
      if (app.settings() !== known) {
        known = app.settings()
        if (settingsOf(app) !== pages.settings) reload()
      }
      const page = pages.byGroup.get(group)
      return page && findIn(page, pages.prefixLengths, model)
    },
  }
})

/** The exact name, then the longest prefix, then the default price. */
const findIn = (page: Page, prefixLengths: readonly number[], model: string) => {
  const exact = page.get(model)
  if (exact) return exact
  for (const length of prefixLengths) {
    const match = length <= model.length && page.get(`${model.slice(0, length)}*`)
    if (match) return match
  }
  return page.get('*')
}

const readPages = async (app: App): Promise<Pages> => {
  const settings = settingsOf(app)
  const [rows, groups] = await Promise.all([
    priceBooks.allPrices(app.db),
    priceBooks.groupRatios(app.db),
  ])
  const drafts = [...rows, ...defaultPrice(app)].flatMap(row => draftsOf(app, row, groups))
  const bodies = new Map(drafts.map(({ hash, body }) => [hash, body]))
  const ids = await priceBooks.versionIds(app.db, bodies, Math.floor(app.now() / 1000))
  const costs = new Map(
    drafts.map(({ hash, body, terms }) => [hash, { terms, body, ...prepareCost(terms) }]),
  )
  const byGroup = new Map<string, Page>(groups.map(({ symbol }) => [symbol, new Map()]))
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

/** One price for each group. What cannot be read is told and left out, rather than taken for nothing. */
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

/** The settings that a price depends on. */
const settingsOf = (app: App): string =>
  `${app.settings().money.DefaultPrice} ${app.settings().site.QuotaPerUnit}`
