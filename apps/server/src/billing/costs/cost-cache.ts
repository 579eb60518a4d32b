import { CostList, defaultCostList } from '@hub/contract'
import type { Usage } from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import * as rows from '../../db/queries/costs.ts'
import { singleflight } from '../../lib/singleflight.ts'
import { prepareCost } from '../price.ts'
import { shippedPrices } from '../prices/built-in.ts'
import {
  type CostTerms,
  costUnits,
  termsOfListPrice,
  termsOfOwnPrice,
  versionIdOf,
} from './cost-terms.ts'

/** What a model of a channel costs the operator now. */
export type EffectiveCost = {
  /** The row of `cost_versions` with its terms. */
  version: number
  currency: string
  /** 10⁻¹⁰ of the currency, times the ratio. Throws `request.invalid` for an invalid count. */
  units(usage: Usage, ratio?: string): number
}

/** Which price to look for. */
export type CostOf = {
  channelId: number
  /** The type of the channel, whose vendor has modes with ratios of their own. */
  channelType: number
  /** The names of the model at the upstream and here. */
  models: readonly string[]
}

export type CostCache = {
  /** Reads the lists again. Called at the start, and then by change notifications. */
  load(): Promise<void>
  /**
   * The list in force. Where the operator wrote none, a channel that is the vendor's own service has its published prices;
   * what another one costs is not known.
   */
  listOf(channelId: number, hasListPrices: boolean): CostList | undefined
  /** Undefined: what the model costs by this list is not known. */
  find(list: CostList, of: CostOf): EffectiveCost | undefined
}

/** The cost lists of all channels in memory. The terms of a model are made at its first call, and written beside it. */
export const costCache = appScoped((app): CostCache => {
  let lists: ReadonlyMap<number, CostList> = new Map()
  let prepared = new Map<string, EffectiveCost | undefined>()
  const load = singleflight(async () => {
    lists = await readLists(app)
    prepared = new Map()
  })
  app.changes.on('costs', load)
  return {
    load,
    listOf: (channelId, hasListPrices) =>
      lists.get(channelId) ?? (hasListPrices ? defaultCostList : undefined),
    find(list, { channelId, channelType, models }) {
      const key = `${list === defaultCostList ? 0 : channelId} ${models.join(' ')}`
      if (prepared.has(key)) return prepared.get(key)
      const terms = findTerms(list, { models, channelType })
      const cost = terms && effectiveCost(app, terms)
      prepared.set(key, cost)
      return cost
    },
  }
})

const readLists = async (app: App): Promise<Map<number, CostList>> => {
  const lists = new Map<number, CostList>()
  for (const { channel_id, body } of await rows.listCurrent(
    app.callDb,
    Math.floor(app.now() / 1000),
  )) {
    const parsed = body === null ? undefined : CostList.safeParse(JSON.parse(body))
    if (parsed?.success) lists.set(channel_id, parsed.data)
    else if (parsed) app.log.error({ channel: channel_id }, 'a cost list cannot be read')
  }
  return lists
}

/** The prices of the list itself come first: the name at the upstream before the one here, the exact one before prefixes. */
const findTerms = (
  list: CostList,
  { models, channelType }: Pick<CostOf, 'models' | 'channelType'>,
): CostTerms | undefined => {
  const own = findPrice(list.prices, models)
  if (own) return termsOfOwnPrice(list, own, channelType)
  if (list.base === 'none') return undefined
  const published = findPrice(shippedPrices, models)
  return published && termsOfListPrice(list, published)
}

const findPrice = <P extends { model: string }>(
  prices: readonly P[],
  models: readonly string[],
): P | undefined => {
  for (const model of models) {
    const exact = prices.find(each => each.model === model)
    if (exact) return exact
  }
  for (const model of models) {
    let longest: P | undefined
    for (const each of prices)
      if (
        each.model.endsWith('*') &&
        model.startsWith(each.model.slice(0, -1)) &&
        each.model.length > (longest?.model.length ?? 0)
      )
        longest = each
    if (longest) return longest
  }
  return undefined
}

const effectiveCost = (app: App, { terms, currency }: CostTerms): EffectiveCost => {
  const body = JSON.stringify(terms)
  const version = versionIdOf(currency, body)
  const { sum } = prepareCost(terms)
  writeVersion(app, { id: version, currency, body, created_at: Math.floor(app.now() / 1000) })
  return { version, currency, units: (usage, ratio) => costUnits(sum(usage), ratio) }
}

/** No call waits for it: the same terms write it again after the next start. */
const writeVersion = (app: App, row: Parameters<typeof rows.addVersion>[1]): void => {
  rows.addVersion(app.callDb, row).catch(error => {
    app.log.error({ err: error, version: row.id }, 'the terms of a cost are not written')
  })
}
