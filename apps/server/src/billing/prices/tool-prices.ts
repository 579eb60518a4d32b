import { formatDecimal, multiply } from '../../lib/decimal.ts'
import defaultToolPrices from '../defaults/tool-prices.json' with { type: 'json' }
import { toDecimal } from './terms.ts'

/** USD per call of a tool that providers sell by the call. A kind without a price is free and raises an alarm. */
const defaultUsd = Object.assign({}, ...defaultToolPrices.map(({ usd }) => usd)) as Record<
  string,
  string
>

/** Models without reasoning pay 25 USD per 1,000 calls of the older search: https://developers.openai.com/api/docs/pricing. */
const expensiveSearchModels = /^gpt-4(o|\.1)/

type PricedModel = { model: string; tool_prices?: string | null }

/** Points per call of each tool, before the group ratio. The tool prices of a price row override the defaults. */
export const toolPrices = (quotaPerUnit: number, price?: PricedModel): Record<string, string> => {
  const overrides = price?.tool_prices
    ? (JSON.parse(price.tool_prices) as Record<string, string>)
    : {}
  const all = {
    ...defaultUsd,
    ...(price && expensiveSearchModels.test(price.model) ? { web_search_preview: '0.025' } : {}),
    ...overrides,
  }
  const unit = toDecimal(quotaPerUnit)
  return Object.fromEntries(
    Object.entries(all).map(([kind, each]) => [
      kind,
      formatDecimal(multiply(toDecimal(each), unit)),
    ]),
  )
}

/** As `toolPrices`, for many rows: those with equal overrides share one result. */
export const toolPricesBy = (quotaPerUnit: number) => {
  const known = new Map<string, Record<string, string>>()
  return (price: PricedModel): Record<string, string> => {
    const key = `${expensiveSearchModels.test(price.model)} ${price.tool_prices ?? ''}`
    const prices = known.get(key) ?? toolPrices(quotaPerUnit, price)
    known.set(key, prices)
    return prices
  }
}
