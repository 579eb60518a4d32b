import type { PricesTable } from '../../db/tables/prices.ts'

type Amount = string | number

/** The shares of a price that cost nothing: `price`, `tier:<above>`, `ratio:<key>` and `tool:<kind>`. */
type FreeParts = ReadonlySet<string>

/** A lower multiplier is as good as free: 1 is 2 USD per million tokens, so this is 0.0002 USD. */
const lowestPrice = 0.0001

const isFree = (...amounts: Amount[]): boolean =>
  amounts.every(amount => Number(amount) < lowestPrice)

/** Vendors cache without charge, so that a free ratio of cached tokens makes no price free. */
const isCacheRatio = (key: string): boolean => key.startsWith('cached_')

const freeParts = (row: PricesTable): FreeParts => {
  const tiers = JSON.parse(row.tiers ?? '[]') as { above: number; input: Amount; output: Amount }[]
  const ratios = Object.entries(JSON.parse(row.extra_ratios ?? '{}') as Record<string, Amount>)
  const tools = Object.entries(JSON.parse(row.tool_prices ?? '{}') as Record<string, Amount>)
  const isWholeFree = row.type === 'times' ? isFree(row.input) : isFree(row.input, row.output)
  return new Set([
    ...(isWholeFree ? ['price'] : []),
    ...tiers.filter(tier => isFree(tier.input, tier.output)).map(({ above }) => `tier:${above}`),
    ...ratios
      .filter(([key, ratio]) => !isCacheRatio(key) && isFree(ratio))
      .map(([key]) => `ratio:${key}`),
    ...tools.filter(([, usd]) => Number(usd) === 0).map(([kind]) => `tool:${kind}`),
  ])
}

/** The row that charges a model: its own, else that of the longest prefix. Undefined: the default price, or none. */
const rowFor = (rows: ReadonlyMap<string, PricesTable>, model: string) => {
  const own = rows.get(model)
  if (own) return own
  for (let length = model.replace(/\*$/, '').length; length > 0; length--) {
    const prefix = rows.get(`${model.slice(0, length)}*`)
    if (prefix) return prefix
  }
  return undefined
}

/**
 * Lists the models that a write makes free, wholly or for a part of their calls. A model whose row is deleted gets the
 * price of its prefix, or the default price.
 */
export const newlyFreeModels = (
  before: readonly PricesTable[],
  after: readonly PricesTable[],
  defaultPrice: string,
): string[] => {
  const [old, current] = [before, after].map(rows => new Map(rows.map(row => [row.model, row])))
  const partsIn = (rows: ReadonlyMap<string, PricesTable>, model: string): FreeParts => {
    const row = rowFor(rows, model)
    if (row) return freeParts(row)
    return new Set(defaultPrice !== '' && isFree(defaultPrice) ? ['price'] : [])
  }
  return [...new Set([...old!.keys(), ...current!.keys()])].filter(model => {
    if (old!.get(model) === current!.get(model)) return false
    const known = partsIn(old!, model)
    return [...partsIn(current!, model)].some(part => !known.has(part) && !known.has('price'))
  })
}
