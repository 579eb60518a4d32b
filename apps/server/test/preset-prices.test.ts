import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import unpriced from '../src/billing/defaults/unpriced.json' with { type: 'json' }
import { builtInPrices } from '../src/billing/prices/built-in.ts'

// A model without a price is refused (`price.unknown`) until an administrator sets one, so it never costs 0 by accident.

const prices = builtInPrices()
const priced = new Set(prices.map(({ model }) => model))
const unpricedModels: readonly string[] = Object.values(unpriced).flat()

it.each(providers.filter(({ defaultModels }) => defaultModels.length > 0))(
  '$name: each preset model has a price, or a reason for none',
  ({ defaultModels }) => {
    const known = new Set([...priced, ...unpricedModels])
    expect(defaultModels.filter(model => !known.has(model))).toEqual([])
  },
)

it('no model has two prices, or a price and a reason for none', () => {
  const names = [...prices.map(({ model }) => model), ...unpricedModels]
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

it('every reason is for a preset model', () => {
  const presets = new Set(providers.flatMap(({ defaultModels }) => defaultModels))
  expect(unpricedModels.filter(model => !presets.has(model))).toEqual([])
})

/** By the vendors' pages, which the list names. */
const free = [
  ...['omni-moderation-latest', 'text-moderation-latest', 'text-moderation-stable'],
  ...['SparkDesk-v1.1', 'hunyuan-lite'],
]

it('only models that are free cost nothing', () => {
  // A video is sold by the second, among the prices of tools.
  const nothing = prices.filter(
    ({ input, output, tool_prices }) =>
      Number(input) === 0 && Number(output) === 0 && tool_prices === null,
  )
  const names = nothing.map(({ model }) => model)
  expect(names.filter(name => !free.includes(name) && !/^(@cf|@hf|mj_)/.test(name))).toEqual([])
})
