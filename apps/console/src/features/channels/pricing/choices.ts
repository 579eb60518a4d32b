import type { Price } from '@hub/contract'

/** The chosen prices, with new ones in the place of those of the same names. */
export const withPrices = (prices: readonly Price[], added: readonly Price[]): Price[] => {
  const names = new Set(added.map(each => each.model))
  return [...prices.filter(each => !names.has(each.model)), ...added]
}

export const withoutPrices = (prices: readonly Price[], names: readonly string[]): Price[] =>
  prices.filter(each => !names.includes(each.model))

const blank = {
  ...{ channel_type: 0, locked: false, extra_ratios: null, tiers: null, tool_prices: null },
}

export const freePrice = (model: string): Price => ({
  ...blank,
  ...{ model, type: 'tokens', input: 0, output: 0 },
})

/** All that another model costs, for each of these. Its lock is not copied. */
export const samePrices = (price: Price, models: readonly string[]): Price[] =>
  models.map(model => ({ ...price, model, locked: false }))

export type Amounts = {
  type: Price['type']
  input: number | undefined
  output: number | undefined
}

/** Undefined while an amount is missing. Nothing is free because of an amount of 0. */
export const priceOfAmounts = (
  model: string,
  { type, input, output }: Amounts,
): Price | undefined => {
  const second = type === 'times' ? input : output
  if (input === undefined || second === undefined || input + second === 0) return undefined
  return { ...blank, model, type, input, output: second }
}

export const isFree = ({ input, output, tool_prices }: Price): boolean =>
  input + output === 0 && !Object.values(tool_prices ?? {}).some(each => each > 0)
