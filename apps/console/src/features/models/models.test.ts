import type { AvailableModel } from '@hub/contract'
import { expect, it } from 'vitest'
import type { ModelDescription } from '../../domain/model-info/index.ts'
import { choicesOf, groupPrice, rowsOf } from './rows.ts'

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
const described = (model: string, part: Partial<ModelDescription>): [string, ModelDescription] => [
  model,
  {
    ...{ model, name: model, description: '', context_length: 0, max_tokens: 0 },
    ...{ inputs: [], outputs: [], tags: [], links: [] },
    ...part,
  },
]
const descriptions = new Map([
  described('gpt-5', {
    name: 'Generative Five',
    description: 'Thinks before it answers',
    inputs: ['text', 'image'],
    outputs: ['text'],
    tags: ['Code', 'Hot'],
  }),
  described('mj_imagine', { inputs: ['text'], outputs: ['image', 'poster'], tags: ['Art'] }),
  described('not-offered', { inputs: ['audio'], tags: ['Gone'] }),
])
const all = {
  ...{ keyword: '', owner: '', type: '', modality: '', tag: '' },
  ...{ group: 'default', only: false },
}
const names = (filters: Partial<typeof all>) =>
  rowsOf(models, descriptions, { ...all, ...filters }).map(row => row.model)

it('models are found by name or owner, and narrowed by owner, billing and group', () => {
  expect(names({})).toEqual(['gpt-5', 'claude-opus', 'mj_imagine'])
  expect(names({ keyword: 'GPT' })).toEqual(['gpt-5'])
  expect(names({ keyword: 'anthro' })).toEqual(['claude-opus'])
  expect(names({ owner: 'Midjourney' })).toEqual(['mj_imagine'])
  expect(names({ type: 'tokens' })).toEqual(['gpt-5', 'claude-opus'])
  expect(names({ only: true })).toEqual(['gpt-5', 'mj_imagine'])
  expect(names({ only: true, group: 'vip' })).toEqual(['gpt-5', 'claude-opus'])
})

it('models are found by their description, and narrowed by what they read or write and by a tag', () => {
  expect(names({ keyword: 'thinks BEFORE' })).toEqual(['gpt-5'])
  expect(names({ keyword: 'generative' })).toEqual(['gpt-5'])
  expect(names({ modality: 'image' })).toEqual(['gpt-5', 'mj_imagine'])
  expect(names({ modality: 'poster' })).toEqual(['mj_imagine'])
  expect(names({ tag: 'Hot' })).toEqual(['gpt-5'])
  expect(names({ tag: 'Hot', modality: 'audio' })).toEqual([])
})

it('only what the listed models have is offered to filter by; known types and `Hot` come first', () => {
  expect(choicesOf(models, descriptions)).toEqual({
    modalities: ['text', 'image', 'poster'],
    tags: ['Hot', 'Code', 'Art'],
  })
  expect(choicesOf(models, new Map())).toEqual({ modalities: [], tags: [] })
})

const vendor_info = {
  ...{ context_length: 1_050_000, max_tokens: 128_000 },
  ...{ input_modalities: ['text', 'image'], output_modalities: ['text'] },
  ...{ source: 'https://vendor.example/gpt-5', date: '2026-11-28' },
}
const ofVendor = { 'gpt-5': { ...models['gpt-5'], vendor_info } }
const source = { address: vendor_info.source, date: vendor_info.date }

it('a model that nobody described shows what its vendor documents', () => {
  const [row] = rowsOf(ofVendor, new Map(), all)
  expect(row?.description).toMatchObject({
    ...{ name: 'gpt-5', context_length: 1_050_000, max_tokens: 128_000 },
    ...{ inputs: ['text', 'image'], outputs: ['text'], source },
  })
  expect(rowsOf(ofVendor, new Map(), { ...all, modality: 'image' })).toHaveLength(1)
})

it('the words of an administrator win over the vendor’s documents, field by field', () => {
  const own = { context_length: 9_000, inputs: ['audio'], links: ['https://own.example'] }
  const [row] = rowsOf(ofVendor, new Map([described('gpt-5', own)]), all)
  expect(row?.description).toMatchObject({
    ...own,
    ...{ max_tokens: 128_000, outputs: ['text'], source },
  })
  const whole = { ...own, max_tokens: 1_000, outputs: ['text'] }
  const [complete] = rowsOf(ofVendor, new Map([described('gpt-5', whole)]), all)
  expect(complete?.description).toMatchObject(whole)
  expect(complete?.description).not.toHaveProperty('source')
})

it('a group’s price is exact', () => {
  expect(groupPrice(0.1, { ratio: 3 })).toBe('0.3')
  expect(groupPrice(0.7, { ratio: 0.1 })).toBe('0.07')
  expect(groupPrice(2, undefined)).toBe('2')
})
