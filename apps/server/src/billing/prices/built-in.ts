import type { OwnersTable, PricesTable } from '../../db/tables/prices.ts'
import { divide, formatDecimal, multiply } from '../../lib/decimal.ts'
import oneHubPrices from '../defaults/one-hub-prices.json' with { type: 'json' }
import owners from '../defaults/owners.json' with { type: 'json' }
import vendorPrices from '../defaults/prices.json' with { type: 'json' }
import { toDecimal } from './terms.ts'

/**
 * The prices of one owner, from its published list. They were gathered in November 2026 and are the start of an
 * installation; operators compare them with their own bills.
 */
type PriceList = {
  owner: number
  /** The page to check the prices at, unless a price names its own. */
  source: string
  note: string
  prices: ListedPrice[]
}

/** USD per million tokens as decimals in text. */
type ListedPrice = {
  model: string
  /** Absent: by tokens. */
  type?: 'tokens' | 'times'
  input: string
  output: string
  /** The price of a cache read. */
  cached?: string
  /** Ratios under One Hub's keys. */
  extra?: Record<string, string>
  /** The price of the whole call if the prompt has more than `above` tokens. */
  long?: { above: number; input: string; output: string }
  /** USD per call of a tool, or per other unit that a vendor sells. */
  tools?: Record<string, string>
  source?: string
  note?: string
}

/** One Hub's own multipliers, for vendors whose current prices were not checked. 1 is 1,000 points for a call. */
type OneHubPrices = {
  tokens: [owner: number, model: string, input: string, output: string][]
  times: [owner: number, model: string, price: string][]
}

/** The built-in prices as One Hub's multipliers: 1 is 2 USD per million tokens. */
export const builtInPrices = (): PricesTable[] => [
  ...(vendorPrices as PriceList[]).flatMap(({ owner, prices }) =>
    prices.map(each => priceRow(owner, each)),
  ),
  ...(oneHubPrices as OneHubPrices).tokens.map(([owner, model, input, output]) =>
    makeRow(owner, model, 'tokens', input, output),
  ),
  ...(oneHubPrices as OneHubPrices).times.map(([owner, model, price]) =>
    makeRow(owner, model, 'times', price, price),
  ),
]

const priceRow = (
  owner: number,
  { model, type = 'tokens', input, output, cached, extra, long, tools }: ListedPrice,
): PricesTable => ({
  ...makeRow(owner, model, type, multiplier(input), multiplier(output)),
  extra_ratios: ratiosOf(input, cached, extra),
  tiers: long ? JSON.stringify([tierOf(long)]) : null,
  tool_prices: tools ? JSON.stringify(tools) : null,
})

const tierOf = ({ above, input, output }: NonNullable<ListedPrice['long']>) => ({
  above,
  input: multiplier(input),
  output: multiplier(output),
})

const half = toDecimal('0.5')

const multiplier = (usd: string): string => formatDecimal(multiply(toDecimal(usd), half))

const ratiosOf = (input: string, cached?: string, extra?: Record<string, string>) => {
  const ratios = { ...(cached ? { cached_read_tokens: quotient(cached, input) } : {}), ...extra }
  return Object.keys(ratios).length === 0 ? null : JSON.stringify(ratios)
}

/** Truncated at twelve places. The loss is below the rounding of a charge, which goes up. */
const quotient = (part: string, whole: string): string =>
  formatDecimal(divide(toDecimal(part), toDecimal(whole), 12))

const makeRow = (
  channel_type: number,
  model: string,
  type: 'tokens' | 'times',
  input: string,
  output: string,
): PricesTable => ({
  model,
  type,
  channel_type,
  input,
  output,
  locked: 0,
  extra_ratios: null,
  tiers: null,
  tool_prices: null,
})

/** The channel types, as in One Hub. They have no icons, because an icon would load from another host. */
export const builtInOwners = (): OwnersTable[] => owners.map(each => ({ ...each, icon: '' }))
