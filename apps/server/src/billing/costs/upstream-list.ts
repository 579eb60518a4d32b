import type { CostList, Price, UpstreamGroup, VendorPrice } from '@hub/contract'
import type { listUpstreams } from '../../db/queries/costs.ts'
import { formatDecimal, multiply } from '../../lib/decimal.ts'
import { columnsOf } from '../prices/columns.ts'
import { type PriceRow, toDecimal } from '../prices/terms.ts'
import { rowOfVendorPrice } from '../prices/vendor-price.ts'
import { type CostTerms, termsOfUpstreamPrice } from './cost-terms.ts'

/** The prices of a channel's upstream that is a gateway. They are dollars of its own. */
export type UpstreamList = {
  /** The multiplier of the group of the channel's key. */
  ratio: string
  prices(): readonly Price[]
}

/**
 * The list of a channel whose upstream shows its multiplier and whose operator wrote none. What an answer of it reports is
 * the figure of a vendor behind it, which is not what it charges.
 */
export const upstreamCostList: CostList = {
  ...{ base: 'upstream', factor: '1', currency: null, reported: false, prices: [] },
}

/** The group of the channel's key at the upstream, by its options. */
export const upstreamGroupOf = ({
  options,
}: {
  options: { upstream?: { group?: unknown } }
}): string => String(options.upstream?.group || 'default')

type StoredUpstream = Awaited<ReturnType<typeof listUpstreams>>[number]

/** Undefined: the upstream did not show the group. Its prices are parsed when a call needs one. */
export const readUpstreamList = ({
  plugin,
  groups,
  prices,
}: StoredUpstream): UpstreamList | undefined => {
  const group = upstreamGroupOf({ options: JSON.parse(plugin || '{}') })
  const shown = JSON.parse(groups) as UpstreamGroup[]
  const ratio = shown.find(each => each.group === group)?.ratio
  if (ratio === undefined) return undefined
  let parsed: readonly Price[] | undefined
  return {
    ratio,
    prices: () => {
      parsed ??= JSON.parse(prices ?? '[]') as Price[]
      return parsed
    },
  }
}

/** The terms of an upstream's own price, in the group of the key. */
export const termsOfListedPrice = (
  list: CostList,
  { ratio }: UpstreamList,
  price: Price,
): CostTerms => termsOf(list, ratio, columnsOf(price))

/** The terms of a published price, as an upstream that lists none of its own is taken to sell it: 7 CNY are a dollar. */
export const termsInGroup = (
  list: CostList,
  { ratio }: UpstreamList,
  price: VendorPrice,
): CostTerms => termsOf(list, ratio, rowOfVendorPrice(price))

const termsOf = (list: CostList, ratio: string, row: PriceRow): CostTerms =>
  termsOfUpstreamPrice(list, row, formatDecimal(multiply(toDecimal(list.factor), toDecimal(ratio))))
