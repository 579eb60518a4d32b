import type { CostPrice, VendorPrice } from '@hub/contract'
import type { PricesTable } from '../../db/tables/prices.ts'
import { type Decimal, divide, formatDecimal, multiply } from '../../lib/decimal.ts'
import { defaultModes } from './default-modes.ts'
import { type PriceRow, toDecimal } from './terms.ts'

/** Multipliers for one unit of currency: 1 is 2 USD per million tokens, and 0.002 USD per call. 7 CNY are a dollar. */
const perAmount: Readonly<Record<VendorPrice['type'], Decimal>> = {
  tokens: toDecimal('0.5'),
  times: toDecimal('500'),
}
export const cnyPerUsd = toDecimal('7')
const one = toDecimal('1')

/** A price in a currency of its own. */
type Published = CostPrice & { owner?: number | undefined }

/** How amounts become multipliers: `divisor` units of currency count 1, truncated at so many places. */
type Scale = { divisor: Decimal; places: number }

/** Truncated at twelve places where the currency does not divide. The loss is below the rounding of a charge. */
const pricePlaces = 12
/** The loss is below every rounding of a cost. */
const costPlaces = 40

/** The database row of a vendor's price. */
export const rowOfVendorPrice = (price: VendorPrice): PricesTable => ({
  ...rowOf(price, { divisor: price.currency === 'CNY' ? cnyPerUsd : one, places: pricePlaces }),
  locked: 0,
})

/** A price whose multipliers are amounts of its own currency instead of US dollars. */
export const rowInOwnCurrency = (price: Published): PriceRow =>
  rowOf(price, { divisor: one, places: costPlaces })

const rowOf = (price: Published, scale: Scale) => {
  const { model, owner = 0, type, input, output, long, tools } = price
  const multiplier = (amount: string) =>
    formatDecimal(divide(multiply(toDecimal(amount), perAmount[type]), scale.divisor, scale.places))
  return {
    model,
    type,
    channel_type: owner,
    input: multiplier(input),
    output: multiplier(output),
    extra_ratios: ratiosOf(price, owner, scale.places),
    tiers: long
      ? JSON.stringify(
          long.map(tier => ({
            above: tier.above,
            input: multiplier(tier.input),
            output: multiplier(tier.output),
          })),
        )
      : null,
    tool_prices: tools ? JSON.stringify(tools) : null,
  }
}

const ratiosOf = (
  { model, type, input, cached, extra }: Published,
  owner: number,
  places: number,
): string | null => {
  const ratios = {
    ...(cached ? { cached_read_tokens: quotient(cached, input, places) } : {}),
    ...defaultModes({ model, type, channel_type: owner }),
    ...extra,
  }
  return Object.keys(ratios).length === 0 ? null : JSON.stringify(ratios)
}

const quotient = (part: string, whole: string, places: number): string =>
  formatDecimal(divide(toDecimal(part), toDecimal(whole), places))
