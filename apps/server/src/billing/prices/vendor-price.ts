import type { VendorPrice } from '@hub/contract'
import type { PricesTable } from '../../db/tables/prices.ts'
import { type Decimal, divide, formatDecimal, multiply } from '../../lib/decimal.ts'
import { defaultModes } from './default-modes.ts'
import { toDecimal } from './terms.ts'

/** Multipliers for one unit of currency: 1 is 2 USD per million tokens, and 0.002 USD per call. 7 CNY are a dollar. */
const perAmount: Readonly<Record<VendorPrice['type'], Decimal>> = {
  tokens: toDecimal('0.5'),
  times: toDecimal('500'),
}
const cnyPerUsd = toDecimal('7')
const one = toDecimal('1')

/** The database row of a vendor's price. */
export const rowOfVendorPrice = (price: VendorPrice): PricesTable => {
  const { model, owner, type, input, output, long, tools } = price
  const multiplier = (amount: string) => multiplierOf(price, amount)
  return {
    model,
    type,
    channel_type: owner,
    input: multiplier(input),
    output: multiplier(output),
    locked: 0,
    extra_ratios: ratiosOf(price),
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

/** Truncated at twelve places where the currency does not divide. The loss is below the rounding of a charge. */
const multiplierOf = ({ type, currency }: VendorPrice, amount: string): string =>
  formatDecimal(
    divide(multiply(toDecimal(amount), perAmount[type]), currency === 'CNY' ? cnyPerUsd : one, 12),
  )

const ratiosOf = ({ model, owner, type, input, cached, extra }: VendorPrice): string | null => {
  const ratios = {
    ...(cached ? { cached_read_tokens: quotient(cached, input) } : {}),
    ...defaultModes({ model, type, channel_type: owner }),
    ...extra,
  }
  return Object.keys(ratios).length === 0 ? null : JSON.stringify(ratios)
}

const quotient = (part: string, whole: string): string =>
  formatDecimal(divide(toDecimal(part), toDecimal(whole), 12))
