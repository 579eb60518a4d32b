import type { Price } from '@hub/contract'
import type { PricesTable } from '../../db/tables/prices.ts'
import { decimalText } from '../../lib/decimal.ts'

/** The database row of a price. Multipliers are stored with the digits that were given, so no price is rounded. */
export const columnsOf = (price: Price): PricesTable => ({
  model: price.model,
  type: price.type,
  channel_type: price.channel_type,
  input: decimalText(price.input),
  output: decimalText(price.output),
  locked: Number(price.locked),
  extra_ratios: price.extra_ratios && JSON.stringify(decimalTexts(price.extra_ratios)),
  tiers: price.tiers && JSON.stringify(price.tiers.map(tierTexts)),
  tool_prices: price.tool_prices && JSON.stringify(decimalTexts(price.tool_prices)),
})

const decimalTexts = (ratios: Record<string, number | undefined>) =>
  Object.fromEntries(
    Object.entries(ratios)
      .filter(([, ratio]) => ratio !== undefined)
      .map(([key, ratio]) => [key, decimalText(ratio!)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const tierTexts = ({ above, input, output }: NonNullable<Price['tiers']>[number]) => ({
  above,
  input: decimalText(input),
  output: decimalText(output),
})
