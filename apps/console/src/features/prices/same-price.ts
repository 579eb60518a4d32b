import type { Price } from '@hub/contract'

export type SamePriceGroup = { price: Price; models: string[] }

/** Groups models with exactly the same price, the largest group first. */
export const groupBySamePrice = (prices: readonly Price[]): SamePriceGroup[] => {
  const groups = new Map<string, SamePriceGroup>()
  for (const price of prices) {
    const { model, ...priceFields } = price
    const key = JSON.stringify(withSortedKeys(priceFields))
    const group = groups.get(key) ?? { price, models: [] }
    group.models.push(model)
    groups.set(key, group)
  }
  for (const each of groups.values()) each.models.sort()
  return [...groups.values()].toSorted(
    (a, b) => b.models.length - a.models.length || (a.models[0]! < b.models[0]! ? -1 : 1),
  )
}

/** Sorts object keys at every depth, so that equal prices have equal JSON. */
const withSortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, withSortedKeys(each)])
}
