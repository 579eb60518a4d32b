import type { Price } from '@hub/contract'
import { expect, it } from 'vitest'
import { groupBySamePrice } from './same-price.ts'

const price = (model: string, more: Partial<Price> = {}): Price => ({
  model,
  type: 'tokens',
  channel_type: 1,
  input: 1,
  output: 2,
  locked: false,
  extra_ratios: null,
  tiers: null,
  tool_prices: null,
  ...more,
})

it('models with equal prices are grouped, whatever the order of their keys', () => {
  const one = { extra_ratios: { cached_tokens: 0.5, reasoning_tokens: 2 } }
  const two = { extra_ratios: { reasoning_tokens: 2, cached_tokens: 0.5 } }
  const groups = groupBySamePrice([
    price('b', one),
    price('c'),
    price('a', two),
    price('d', { locked: true }),
  ])
  expect(groups.map(each => each.models)).toEqual([['a', 'b'], ['c'], ['d']])
})

it('prices with different tiers or tool prices are not equal', () => {
  const tiers = [{ above: 10, input: 1, output: 1 }]
  expect(
    groupBySamePrice([
      price('a'),
      price('b', { tiers }),
      price('c', { tool_prices: { web_search: 1 } }),
    ]),
  ).toHaveLength(3)
})
