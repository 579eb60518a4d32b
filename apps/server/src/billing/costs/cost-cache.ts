import { CostList, type CostSource, defaultCostList } from '@hub/contract'
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
import {
  readUpstreamList,
  termsInGroup,
  termsOfListedPrice,
  type UpstreamList,
  upstreamCostList,
} from './upstream-list.ts'

/** The price that the operator pays for a model of a channel now. */
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
  /** The channel is the vendor's own service, so that its published prices hold where the operator wrote no list. */
  hasListPrices: boolean
}

export type CostCache = {
  /** Reads the lists again. Called at the start, and then by change notifications. */
  load(): Promise<void>
  /** Undefined: what the model costs there is not known. */
  find(of: CostOf): EffectiveCost | undefined
  /** The terms of `find`, and where they come from. */
  explain(of: CostOf): FoundTerms | undefined
  /** The list in force; undefined where the operator wrote none. */
  listOf(channelId: number): CostList | undefined
  /** The list that holds where the operator wrote none. Undefined: no price is known there. */
  defaultListOf(of: Pick<CostOf, 'channelId' | 'hasListPrices'>): CostList | undefined
  /** The multiplier that the channel's upstream applies, as it was read last. */
  upstreamRatioOf(channelId: number): string | undefined
}

type FoundTerms = CostTerms & { source: Exclude<CostSource, 'unknown'> }

/** The cost lists of all channels in memory. The terms of a model are made at its first call, and written beside it. */
export const costCache = appScoped((app): CostCache => {
  let lists: ReadonlyMap<number, CostList> = new Map()
  let upstreams: ReadonlyMap<number, UpstreamList> = new Map()
  let prepared = new Map<string, EffectiveCost | undefined>()
  const load = singleflight(async () => {
    const read = await Promise.all([readLists(app), readUpstreams(app)])
    ;[lists, upstreams] = read
    prepared = new Map()
  })
  app.changes.on('costs', load)
  const defaultListOf: CostCache['defaultListOf'] = ({ channelId, hasListPrices }) => {
    if (hasListPrices) return defaultCostList
    return upstreams.has(channelId) ? upstreamCostList : undefined
  }
  return {
    load,
    listOf: channelId => lists.get(channelId),
    defaultListOf,
    upstreamRatioOf: channelId => upstreams.get(channelId)?.ratio,
    explain(of) {
      const list = lists.get(of.channelId) ?? defaultListOf(of)
      return list && findTerms(list, of, upstreams.get(of.channelId))
    },
    find(of) {
      const { channelId, models } = of
      const list = lists.get(channelId) ?? defaultListOf(of)
      if (!list) return undefined
      const key = `${list === defaultCostList ? 0 : channelId} ${models.join(' ')}`
      if (prepared.has(key)) return prepared.get(key)
      const terms = findTerms(list, of, upstreams.get(channelId))
      const cost = terms && effectiveCost(app, terms)
      prepared.set(key, cost)
      return cost
    },
  }
})

const readLists = async (app: App): Promise<Map<number, CostList>> => {
  const lists = new Map<number, CostList>()
  for (const { channel_id, body } of await rows.listCurrent(app.callDb)) {
    const parsed = body === null ? undefined : CostList.safeParse(JSON.parse(body))
    if (parsed?.success) lists.set(channel_id, parsed.data)
    else if (parsed) app.log.error({ channel: channel_id }, 'a cost list cannot be read')
  }
  return lists
}

const readUpstreams = async (app: App): Promise<Map<number, UpstreamList>> => {
  const found = new Map<number, UpstreamList>()
  for (const row of await rows.listUpstreams(app.callDb)) {
    const list = readUpstreamList(row)
    if (list) found.set(row.id, list)
  }
  return found
}

/** The prices of the list itself come first: the name at the upstream before the one here, the exact one before prefixes. */
const findTerms = (
  list: CostList,
  { models, channelType }: Pick<CostOf, 'models' | 'channelType'>,
  upstream: UpstreamList | undefined,
): FoundTerms | undefined => {
  const own = findPrice(list.prices, models)
  if (own) return { source: 'own', ...termsOfOwnPrice(list, own, channelType) }
  if (list.base === 'none' || (list.base === 'upstream' && !upstream)) return undefined
  const listed = list.base === 'upstream' && findPrice(upstream!.prices(), models)
  if (listed) return { source: 'upstream', ...termsOfListedPrice(list, upstream!, listed) }
  const published = findPrice(shippedPrices, models)
  if (!published) return undefined
  return list.base === 'upstream'
    ? { source: 'upstream_group', ...termsInGroup(list, upstream!, published) }
    : { source: 'list', ...termsOfListPrice(list, published) }
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
