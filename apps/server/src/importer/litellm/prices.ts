import { builtInPrices } from '../../billing/prices/built-in.ts'
import type { ImportedPrice } from '../gateway-data.ts'
import type { JsonMap } from '../sources/json.ts'
import type { Deployment } from './deployments.ts'

/** A multiplier of 1 is 2 USD per million tokens. */
const multiplierPerUsd = 500_000

/** USD per token, under the names of LiteLLM's price map, and the extra ratios here. */
const extras = [
  ['cache_read_input_token_cost', ['cached_tokens', 'cached_read_tokens']],
  ['cache_creation_input_token_cost', ['cached_write_tokens']],
  ['input_cost_per_token_flex', ['tier_flex']],
  ['input_cost_per_token_priority', ['tier_priority']],
] as const

export const priceFields: readonly string[] = [
  'input_cost_per_token',
  'output_cost_per_token',
  ...extras.map(([name]) => name),
]

const costsOf = ({ info, params }: Deployment): JsonMap => ({ ...info, ...params })

/** A price that cannot be read is one, too, so that the built-in price does not take its place unseen. */
export const hasOwnPrice = (deployment: Deployment): boolean =>
  ['input_cost_per_token', 'output_cost_per_token'].some(
    each => (costsOf(deployment)[each] ?? null) !== null,
  )

/** A number, also one in a text. NaN for anything else, so that nothing becomes free by an import. */
const costOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN

/** The built-in prices, and above them those that the source names itself. */
export const readPrices = (deployments: readonly Deployment[]): ImportedPrice[] => {
  const prices = new Map<string, ImportedPrice>()
  for (const row of builtInPrices())
    prices.set(row.model, {
      ...{ model: row.model, type: row.type, channel_type: row.channel_type, locked: false },
      ...{ input: Number(row.input), output: Number(row.output) },
      extra_ratios: parsed(row.extra_ratios),
      tiers: parsed(row.tiers),
      tool_prices: parsed(row.tool_prices),
    } as ImportedPrice)
  const own = new Map<string, ImportedPrice>()
  for (const each of deployments) {
    if (!hasOwnPrice(each)) continue
    const price = ownPrice(each)
    const first = own.get(each.model)
    if (first === undefined) own.set(each.model, price)
    else if (first.input !== price.input || first.output !== price.output)
      first.note = 'has several prices in the source: the first one counts here'
  }
  return [...new Map([...prices, ...own]).values()]
}

/** The numbers of a stored price are texts. */
const parsed = (text: string | null): unknown =>
  text === null
    ? null
    : JSON.parse(text, (_, value) =>
        typeof value === 'string' && value !== '' ? Number(value) : value,
      )

const ownPrice = (deployment: Deployment): ImportedPrice => {
  const costs = costsOf(deployment)
  // There a side without a price costs nothing, as output of an embedding does.
  const read = (name: string) => ((costs[name] ?? null) === null ? 0 : costOf(costs[name]))
  const input = rounded(read('input_cost_per_token') * multiplierPerUsd)
  const ratios = extras.flatMap(([name, keys]) =>
    (costs[name] ?? null) !== null && input > 0
      ? keys.map(key => [key, rounded((read(name) * multiplierPerUsd) / input)])
      : [],
  )
  const free = ['input', 'output'].filter(
    each => (costs[`${each}_cost_per_token`] ?? null) === null,
  )
  return {
    ...(free.length > 0 && { note: `has no price of ${free[0]} in the source: it costs nothing` }),
    ...{ model: deployment.model, type: 'tokens', channel_type: 0, locked: true, input },
    output: rounded(read('output_cost_per_token') * multiplierPerUsd),
    extra_ratios: ratios.length > 0 ? Object.fromEntries(ratios) : null,
  }
}

/** Products of decimals have digits that nobody entered. */
const rounded = (value: number): number => Number(value.toPrecision(12))
