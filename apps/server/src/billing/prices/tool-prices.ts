import { formatDecimal, multiply } from '../../lib/decimal.ts'
import defaultToolPrices from '../defaults/tool-prices.json' with { type: 'json' }
import { toDecimal } from './terms.ts'

type ToolPrices = { models?: string; usd: Partial<Record<string, string>> }

/** USD per call of a tool that providers sell by the call. A kind without a price is free and raises an alarm. */
const defaults: readonly ToolPrices[] = defaultToolPrices

const defaultUsd = Object.assign({}, ...defaults.filter(each => !each.models).map(each => each.usd))

/** Models whose vendor sells a tool at another price than the others. */
const usdOfModels = defaults.flatMap(({ models, usd }) =>
  models ? [{ models: new RegExp(models), usd }] : [],
)

const usdOf = (model = ''): Record<string, string> =>
  Object.assign({}, ...usdOfModels.filter(each => each.models.test(model)).map(each => each.usd))

type PricedModel = { model: string; tool_prices?: string | null }

/** Points per call of each tool, before the group ratio. The tool prices of a price row override the defaults. */
export const toolPrices = (quotaPerUnit: number, price?: PricedModel): Record<string, string> => {
  const overrides = price?.tool_prices
    ? (JSON.parse(price.tool_prices) as Record<string, string>)
    : {}
  const all: Record<string, string> = {
    ...defaultUsd,
    ...usdOf(price?.model),
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
    const own = usdOfModels.map(each => each.models.test(price.model))
    const key = `${own} ${price.tool_prices ?? ''}`
    const prices = known.get(key) ?? toolPrices(quotaPerUnit, price)
    known.set(key, prices)
    return prices
  }
}
