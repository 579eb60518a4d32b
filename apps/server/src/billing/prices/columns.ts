import type { Price } from '@hub/contract'
import type { PricesTable } from '../../db/tables/trade.ts'
import { decimalText } from '../../lib/decimal.ts'

/** Multipliers are stored as the digits that were given: no price is ever a rounded one. */
export const columnsOf = (price: Price): PricesTable => ({
  model: price.model,
  type: price.type,
  channel_type: price.channel_type,
  input: decimalText(price.input),
  output: decimalText(price.output),
  locked: Number(price.locked),
  extra_ratios: price.extra_ratios && JSON.stringify(texts(price.extra_ratios)),
  tiers: price.tiers && JSON.stringify(price.tiers.map(tierTexts)),
  tool_prices: price.tool_prices && JSON.stringify(texts(price.tool_prices)),
})

const texts = (ratios: Record<string, number | undefined>) =>
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
