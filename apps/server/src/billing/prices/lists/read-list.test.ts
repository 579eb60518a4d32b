import { expect, it } from 'vitest'
import { parsePriceList } from './read-list.ts'

const read = (value: unknown) => parsePriceList(JSON.stringify(value))
const bare = { locked: false, extra_ratios: null, tiers: null, tool_prices: null }

it('One Hub’s list is an array, or stands in `data`', () => {
  const list = [
    { model: 'gpt-4o', type: 'tokens', channel_type: 1, input: 1.25, output: 5 },
    { model: 'mj_imagine', type: 'times', channel_type: 34, input: 50, output: 50, locked: true },
  ]
  const prices = [
    { ...bare, ...list[0] },
    { ...bare, ...list[1] },
  ]
  expect(read(list)).toEqual({ prices, format: 'one-hub', skipped: [] })
  expect(read({ success: true, data: list })).toEqual({ prices, format: 'one-hub', skipped: [] })
})

it('what other versions keep beside a price is let go, what is no price is told', () => {
  const { prices, skipped } = read([
    {
      model: 'm',
      input: 1,
      output: 2,
      extra_ratios: { cached_tokens: 0.5, dreams: 3 },
      model_info: { description: 'x' },
    },
    { model: 'minus', input: -1, output: 1 },
    { model: 'a*b', input: 1, output: 1 },
    'nothing',
  ])
  expect(prices).toEqual([
    {
      ...bare,
      model: 'm',
      type: 'tokens',
      channel_type: 0,
      input: 1,
      output: 2,
      extra_ratios: { cached_tokens: 0.5 },
    },
  ])
  expect(skipped.map(each => each.model)).toEqual(['m', 'minus', 'a*b', ''])
  expect(skipped[0]?.why).toContain('dreams')
})

it('of a model that stands twice the last one counts, and it is told', () => {
  const { prices, skipped } = read([
    { model: 'm', input: 1, output: 1 },
    { model: 'm', input: 2, output: 2 },
  ])
  expect(prices.map(price => price.input)).toEqual([2])
  expect(skipped).toEqual([{ model: 'm', why: 'it stands twice' }])
})

it('New API’s pricing is read as ours, exactly', () => {
  const { prices, format } = read({
    success: true,
    data: [
      { model_name: 'a', quota_type: 0, model_ratio: 0.075, completion_ratio: 4, cache_ratio: 0.5 },
      { model_name: 'b', quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0 },
      { model_name: 'c', quota_type: 0, model_ratio: 0.7, completion_ratio: 0.1 },
    ],
    group_ratio: { default: 1 },
  })
  expect(format).toBe('new-api')
  expect(prices).toMatchObject([
    {
      model: 'a',
      type: 'tokens',
      input: 0.075,
      output: 0.3,
      extra_ratios: { cached_read_tokens: 0.5 },
    },
    { model: 'b', type: 'times', input: 20, output: 20 },
    // As floats 0.06999999999999999.
    { model: 'c', input: 0.7, output: 0.07 },
  ])
})

it('a ratio of New API may be a number in text, and one that is no number is reported', () => {
  const { prices, skipped } = read({
    data: [
      { model_name: 'text', quota_type: 0, model_ratio: '2', completion_ratio: '4' },
      { model_name: 'null', quota_type: 0, model_ratio: 2, completion_ratio: null },
      { model_name: 'wrong', quota_type: 0, model_ratio: 2, completion_ratio: 'four' },
      { model_name: 'cache', quota_type: 0, model_ratio: 2, cache_ratio: { read: 0.1 } },
    ],
  })
  expect(prices).toMatchObject([
    { model: 'text', input: 2, output: 8 },
    { model: 'null', input: 2, output: 2 },
  ])
  expect(skipped.map(({ model, why }) => [model, why.split(':')[0]])).toEqual([
    ['wrong', '`output`'],
    ['cache', '`extra_ratios.cached_read_tokens`'],
  ])
})

it('New API’s ratios are read as ours', () => {
  const { prices } = read({
    success: true,
    data: {
      model_ratio: { 'gpt-4o-audio': 1.25, free: 0 },
      completion_ratio: { 'gpt-4o-audio': 4 },
      cache_ratio: { 'gpt-4o-audio': 0.5 },
      audio_ratio: { 'gpt-4o-audio': 16 },
      audio_completion_ratio: { 'gpt-4o-audio': 2 },
      model_price: { 'dall-e-3': 0.04 },
    },
  })
  expect(prices).toMatchObject([
    {
      model: 'gpt-4o-audio',
      input: 1.25,
      output: 5,
      extra_ratios: { cached_read_tokens: 0.5, input_audio_tokens: 16, output_audio_tokens: 8 },
    },
    { model: 'free', input: 0, output: 0 },
    { model: 'dall-e-3', type: 'times', input: 20 },
  ])
})

it('what is no list is refused with a reason', () => {
  for (const text of ['', '<html>', '{}', '[]', '{"data":{}}', '[{"model":""}]', 'null'])
    expect(() => parsePriceList(text), text).toThrow('This is no list that can be read.')
})

const vendor = {
  ...{ model: 'v', owner: 16, currency: 'CNY', input: '14', output: '28', cached: '1.4' },
  ...{ source: 'https://vendor.example/pricing', date: '2026-11-27' },
}

it('a list with vendors’ amounts is read, and an entry without source is skipped with the reason', () => {
  const { prices, format, skipped } = read({ prices: [vendor, { ...vendor, source: '' }] })
  expect(format).toBe('vendors')
  expect(prices).toEqual([
    {
      ...bare,
      ...{ model: 'v', type: 'tokens', channel_type: 16, input: 1, output: 2 },
      extra_ratios: { cached_read_tokens: 0.1 },
    },
  ])
  expect(skipped.map(({ model, why }) => [model, why])).toEqual([
    ['v', expect.stringContaining('source')],
  ])
})

const wrongPrices = [null, '', 'free', 'NaN', '1e400', [], {}, true]
const formats: [string, (wrong: unknown) => unknown][] = [
  ['One Hub, input', wrong => [{ model: 'm', input: wrong, output: 1 }]],
  ['One Hub, output', wrong => [{ model: 'm', input: 1, output: wrong }]],
  [
    'New API, model_ratio',
    wrong => [{ model_name: 'm', quota_type: 0, model_ratio: wrong, completion_ratio: 1 }],
  ],
  ['New API, model_price', wrong => [{ model_name: 'm', quota_type: 1, model_price: wrong }]],
  ['New API, ratio_config', wrong => ({ model_ratio: { m: wrong } })],
  ['vendors, input', wrong => ({ prices: [{ ...vendor, input: wrong }] })],
  ['vendors, output', wrong => ({ prices: [{ ...vendor, output: wrong }] })],
]

it.each(formats)(
  'a price that is not a number never becomes 0 in a list of %s',
  (_format, list) => {
    for (const wrong of wrongPrices)
      expect(() => read(list(wrong)), JSON.stringify(wrong)).toThrow(
        'This is no list that can be read.',
      )
  },
)

it.each([
  ['One Hub', [{ model: 'm', input: 0, output: 0 }]],
  ['New API', [{ model_name: 'm', quota_type: 0, model_ratio: 0, completion_ratio: 1 }]],
  ['vendors', { prices: [{ ...vendor, model: 'm', input: '0', output: '0', cached: undefined }] }],
])('a 0 in a list of %s stays 0', (_format, list) => {
  expect(read(list).prices).toMatchObject([{ model: 'm', input: 0, output: 0 }])
})
