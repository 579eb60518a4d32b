import { formatDecimal, multiply } from '../../lib/decimal.ts'
import defaultToolPrices from '../defaults/tool-prices.json' with { type: 'json' }
import { toDecimal } from './terms.ts'

/** `models`: beginnings of names whose vendor sells a tool at another price. A later entry replaces an earlier one. */
type ToolPrices = { models?: string[]; usd: Partial<Record<string, string>> }

const defaults: readonly ToolPrices[] = defaultToolPrices

const isOf = ({ models }: ToolPrices, model = ''): boolean =>
  models === undefined || models.some(each => model.startsWith(each))

/** USD per call of a tool that providers sell by the call. A kind without a price is free and raises an alarm. */
const defaultUsd = (model?: string): Record<string, string> =>
  Object.assign({}, ...defaults.filter(each => isOf(each, model)).map(each => each.usd))

type PricedModel = { model: string; tool_prices?: string | null }

/**
 * Gives a tool whose kinds have prices of their own the dearest of them, for a kind that has none. An operator's price of
 * the whole tool stands instead of the shipped ones of its kinds.
 */
const withMostExpensive = (
  usd: Record<string, string>,
  overrides: Record<string, string>,
): Record<string, string> => {
  const all = { ...usd }
  for (const [kind, price] of Object.entries(usd)) {
    const [tool = ''] = kind.split(':', 1)
    if (tool === kind) continue
    if (overrides[tool] !== undefined) {
      if (overrides[kind] === undefined) delete all[kind]
    } else if (all[tool] === undefined || Number(price) > Number(all[tool])) all[tool] = price
  }
  return all
}

/** Points per call of each tool, before the group ratio. The tool prices of a price row override the defaults. */
export const toolPrices = (quotaPerUnit: number, price?: PricedModel): Record<string, string> => {
  const overrides = price?.tool_prices
    ? (JSON.parse(price.tool_prices) as Record<string, string>)
    : {}
  const all = withMostExpensive({ ...defaultUsd(price?.model), ...overrides }, overrides)
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
    const own = defaults.map(each => isOf(each, price.model))
    const key = `${own} ${price.tool_prices ?? ''}`
    const prices = known.get(key) ?? toolPrices(quotaPerUnit, price)
    known.set(key, prices)
    return prices
  }
}
