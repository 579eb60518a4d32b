import { createHash } from 'node:crypto'
import type { CostList, CostPrice, VendorPrice } from '@hub/contract'
import { type Decimal, formatDecimal, multiply, powerOfTen } from '../../lib/decimal.ts'
import type { ExactSum } from '../price.ts'
import { type PriceRow, type Terms, termsOf, toDecimal } from '../prices/terms.ts'
import { toolPrices } from '../prices/tool-prices.ts'
import { cnyPerUsd, rowInOwnCurrency } from '../prices/vendor-price.ts'

/** The terms of a cost. Their unit, a point, is 2 millionths of the currency. */
export type CostTerms = { terms: Terms; currency: string }

/** Points of one unit of currency, whatever the site's `QuotaPerUnit` is. */
const pointsPerUnit = 500_000

/**
 * The terms of a price in the list itself, with the modes of the channel's type. The factor of the list does not apply to
 * it.
 */
export const termsOfOwnPrice = (list: CostList, price: CostPrice, type: number): CostTerms => {
  const currency = list.currency ?? 'USD'
  // The shipped prices of tools are in USD.
  const tools = currency === 'USD' ? toolPrices(pointsPerUnit, toolsOf(price)) : ownTools(price)
  return { terms: termsOf(rowInOwnCurrency({ ...price, owner: type }), '1', tools), currency }
}

/** The terms of a published price times the factor of the list. */
export const termsOfListPrice = (list: CostList, price: VendorPrice): CostTerms => ({
  terms: termsOf(rowInOwnCurrency(price), list.factor, publishedTools(price)),
  currency: list.currency ?? price.currency,
})

/** The terms of a price in multipliers at an upstream that is a gateway, which counts in dollars. */
export const termsOfUpstreamPrice = (
  list: CostList,
  price: PriceRow & { tool_prices?: string | null },
  factor: string,
): CostTerms => ({
  terms: termsOf(price, factor, toolPrices(pointsPerUnit, { tool_prices: null, ...price })),
  currency: list.currency ?? 'USD',
})

const toolsOf = ({ model, tools }: CostPrice) => ({
  model,
  tool_prices: tools ? JSON.stringify(tools) : null,
})

const ownTools = ({ tools = {} }: CostPrice): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tools).map(([kind, amount]) => [
      kind,
      formatDecimal(multiply(toDecimal(amount), toDecimal(pointsPerUnit))),
    ]),
  )

/** Published prices of tools are in USD. A price in CNY counts 7 to the dollar, as everywhere in the list. */
const publishedTools = (price: VendorPrice): Record<string, string> => {
  const usd = toolPrices(pointsPerUnit, toolsOf(price))
  if (price.currency === 'USD') return usd
  return Object.fromEntries(
    Object.entries(usd).map(([kind, points]) => [
      kind,
      formatDecimal(multiply(toDecimal(points), cnyPerUsd)),
    ]),
  )
}

/** 13 hexadecimal digits are a safe integer, and far more than the versions of any site. */
const idDigits = 13

/** The id of terms, the same on every node. A call is written before its version may be. */
export const versionIdOf = (currency: string, body: string): number =>
  Number.parseInt(
    createHash('sha256').update(`${currency} ${body}`).digest('hex').slice(0, idDigits),
    16,
  )

/** Units of cost in a unit of currency: a cost is a whole number of 10⁻¹⁰. */
export const costDigits = 10
const unitsPerPoint = 10n ** BigInt(costDigits) / BigInt(pointsPerUnit)
/** A cost that a division truncated stays on its side of a half: no price has so many digits. */
const slack = 10n ** 12n

/** A decimal number of units of currency. Undefined: no price, or more than any call costs. */
export const unitsOfAmount = (amount: number): number | undefined => {
  if (!(amount >= 0 && amount < amountMax)) return undefined
  const { digits, scale } = toDecimal(amount)
  return costUnits({ digits: digits * BigInt(pointsPerUnit), unit: powerOfTen(scale) })
}

/** More than a vendor charges for one call. */
const amountMax = 100_000

/** Rounded once, half up; at most the largest safe integer, which is 900,000 units of currency. */
export const costUnits = (sum: ExactSum, ratio?: string): number => {
  const { digits, unit } = ratio === undefined ? sum : times(sum, toDecimal(ratio))
  const rounded = (2n * digits * unitsPerPoint + unit + unit / slack) / (2n * unit)
  return rounded > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(rounded)
}

const times = ({ digits, unit }: ExactSum, ratio: Decimal): ExactSum => ({
  digits: digits * ratio.digits,
  unit: unit * powerOfTen(ratio.scale),
})
