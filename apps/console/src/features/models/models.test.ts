import type { AvailableModel } from '@hub/contract'
import { expect, it } from 'vitest'
import { groupPrice, rowsOf } from './rows.ts'

const model = (owned_by: string, channel_type: number, groups: string[]): AvailableModel => ({
  groups,
  owned_by,
  price: {
    model: 'x',
    type: channel_type === 34 ? 'times' : 'tokens',
    channel_type,
    input: 1,
    output: 2,
    locked: false,
    extra_ratios: null,
    tiers: null,
    tool_prices: null,
  },
})
const models = {
  'gpt-5': model('OpenAI', 1, ['default', 'vip']),
  'claude-opus': model('Anthropic', 14, ['vip']),
  mj_imagine: model('Midjourney', 34, ['default']),
}
const all = { keyword: '', owner: '', type: '', group: 'default', only: false }
const names = (filters: Partial<typeof all>) =>
  rowsOf(models, { ...all, ...filters }).map(row => row.model)

it('models are found by name or owner, and narrowed by owner, billing and group', () => {
  expect(names({})).toEqual(['gpt-5', 'claude-opus', 'mj_imagine'])
  expect(names({ keyword: 'GPT' })).toEqual(['gpt-5'])
  expect(names({ keyword: 'anthro' })).toEqual(['claude-opus'])
  expect(names({ owner: 'Midjourney' })).toEqual(['mj_imagine'])
  expect(names({ type: 'tokens' })).toEqual(['gpt-5', 'claude-opus'])
  expect(names({ only: true })).toEqual(['gpt-5', 'mj_imagine'])
  expect(names({ only: true, group: 'vip' })).toEqual(['gpt-5', 'claude-opus'])
})

it('a group’s price is exact', () => {
  expect(groupPrice(0.1, { ratio: 3 })).toBe('0.3')
  expect(groupPrice(0.7, { ratio: 0.1 })).toBe('0.07')
  expect(groupPrice(2, undefined)).toBe('2')
})
