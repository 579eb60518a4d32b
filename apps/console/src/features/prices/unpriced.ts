import type { Price } from '@hub/contract'

/** Models in use that no price covers, neither by name nor by a pattern that ends in `*`. */
export const unpriced = (inUse: readonly string[], prices: readonly Price[]): string[] => {
  const names = new Set(prices.map(price => price.model))
  const prefixes = prices.flatMap(({ model }) => (model.endsWith('*') ? [model.slice(0, -1)] : []))
  const isPriced = (model: string) =>
    names.has(model) || prefixes.some(prefix => model.startsWith(prefix))
  return inUse.filter(model => !isPriced(model)).toSorted()
}
