import type { Price } from '@hub/contract'
import { expect, it } from 'vitest'
import { unpriced } from './unpriced.ts'

it('lists the models that no price covers', () => {
  const price = (model: string): Price => ({
    model,
    type: 'tokens',
    channel_type: 1,
    input: 1,
    output: 1,
    locked: false,
    extra_ratios: null,
    tiers: null,
    tool_prices: null,
  })
  const prices = [price('gpt-4o'), price('claude-*')]
  expect(unpriced(['gpt-5', 'gpt-4o', 'claude-4', 'a'], prices)).toEqual(['a', 'gpt-5'])
})
