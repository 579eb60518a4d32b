import type { Price } from '@hub/contract'
import type { PricesTable } from '../../db/tables/prices.ts'
import { formatNumber } from '../../lib/decimal.ts'

/** The database row of a price. Multipliers are stored with the digits that were given, so no price is rounded. */
export const columnsOf = (price: Price): PricesTable => ({
  model: price.model,
  type: price.type,
  channel_type: price.channel_type,
  input: formatNumber(price.input),
  output: formatNumber(price.output),
  locked: Number(price.locked),
  extra_ratios: price.extra_ratios && JSON.stringify(decimalTexts(price.extra_ratios)),
  tiers: price.tiers && JSON.stringify(price.tiers.map(tierTexts)),
  tool_prices: price.tool_prices && JSON.stringify(decimalTexts(price.tool_prices)),
})

const decimalTexts = (ratios: Record<string, number | undefined>) =>
  Object.fromEntries(
    Object.entries(ratios)
      .filter(([, ratio]) => ratio !== undefined)
      .map(([key, ratio]) => [key, formatNumber(ratio!)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const tierTexts = ({ above, input, output }: NonNullable<Price['tiers']>[number]) => ({
  above,
  input: formatNumber(input),
  output: formatNumber(output),
})
