import { VendorPrice } from '@hub/contract'
import { expect, it } from 'vitest'
import { rowOfVendorPrice } from './vendor-price.ts'

const base = {
  ...{ model: 'm', owner: 1, input: '2', output: '8' },
  ...{ source: 'https://vendor.example/pricing', date: '2026-11-27' },
}
const rowOf = (more: object) => rowOfVendorPrice(VendorPrice.parse({ ...base, ...more }))

it('a price per million tokens in USD becomes half its amount', () => {
  expect(rowOf({})).toMatchObject({ type: 'tokens', input: '1', output: '4', extra_ratios: null })
})

it('a price in CNY counts seven to the dollar', () => {
  expect(rowOf({ currency: 'CNY' })).toMatchObject({
    input: '0.142857142857',
    output: '0.571428571428',
  })
  expect(rowOf({ currency: 'CNY', input: '14', output: '28' })).toMatchObject({
    input: '1',
    output: '2',
  })
})

it('a price per call becomes points per call', () => {
  // At multiplier 1 a call costs 1,000 points, which are 0.002 USD.
  expect(rowOf({ type: 'times', input: '0.1', output: '0.1' })).toMatchObject({
    type: 'times',
    input: '50',
    output: '50',
  })
})

it('a cache read and the tiers keep their proportion in every currency', () => {
  const long = [{ above: 1000, input: '4', output: '12' }]
  const row = rowOf({ currency: 'CNY', cached: '0.2', long })
  expect(JSON.parse(row.extra_ratios!)).toEqual({ cached_read_tokens: '0.1' })
  expect(JSON.parse(row.tiers!)).toEqual([
    { above: 1000, input: '0.285714285714', output: '0.857142857142' },
  ])
})

it.each([
  ['no input', { input: undefined }],
  ['an empty output', { output: '' }],
  ['null', { input: null }],
  ['a number that is not text', { input: 2 }],
  ['a word', { output: 'free' }],
  ['an infinite amount', { input: 'Infinity' }],
  ['a negative amount', { input: '-1' }],
  ['no source', { source: undefined }],
  ['a source that is no page', { source: 'a friend' }],
  ['no date', { date: undefined }],
  ['a date that does not exist', { date: '2026-13-01' }],
  ['an unknown field', { price: '3' }],
])('an entry with %s is refused', (_what, wrong) => {
  expect(VendorPrice.safeParse({ ...base, ...wrong }).success).toBe(false)
})
