import type { Price } from '@hub/contract'

export type Alike = { price: Price; models: string[] }

/** Models that cost exactly the same, together; the largest group first. */
export const alike = (prices: readonly Price[]): Alike[] => {
  const groups = new Map<string, Alike>()
  for (const price of prices) {
    const { model, ...rest } = price
    const key = JSON.stringify(sorted(rest))
    const group = groups.get(key) ?? { price, models: [] }
    group.models.push(model)
    groups.set(key, group)
  }
  for (const each of groups.values()) each.models.sort()
  return [...groups.values()].toSorted(
    (a, b) => b.models.length - a.models.length || (a.models[0]! < b.models[0]! ? -1 : 1),
  )
}

/** The same facts in the same order, however deep. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)])
}
