import { CostList, defaultCostList, VendorPrice } from '@hub/contract'
import { expect, it } from 'vitest'
import { prepareCost } from '../price.ts'
import { usageOf } from '../usage.ts'
import { formatCost } from './call-cost.ts'
import { costUnits, termsOfListPrice, termsOfOwnPrice, versionIdOf } from './cost-terms.ts'

type Counts = Parameters<typeof usageOf>[0]

const published = (price: Record<string, unknown>) =>
  VendorPrice.parse({
    ...{ model: 'm', owner: 1, input: '3', output: '15' },
    ...{ source: 'https://vendor.example/prices', date: '2026-11-01', ...price },
  })
const own = (price: Record<string, unknown>): CostList =>
  CostList.parse({
    ...defaultCostList,
    prices: [{ model: 'm', type: 'tokens', input: '3', output: '15', ...price }],
  })
const listCost = (price: Record<string, unknown>, counts: Counts, factor = '1') => {
  const { terms, currency } = termsOfListPrice({ ...defaultCostList, factor }, published(price))
  return `${formatCost(costUnits(prepareCost(terms).sum(usageOf(counts))))} ${currency}`
}
const ownCost = (list: CostList, counts: Counts) => {
  const { terms, currency } = termsOfOwnPrice(list, list.prices[0]!, 1)
  return `${formatCost(costUnits(prepareCost(terms).sum(usageOf(counts))))} ${currency}`
}

it.each([
  ['a million tokens cost the published price', {}, { input: 1_000_000 }, '1', '3 USD'],
  ['one token costs its exact part', {}, { input: 1 }, '1', '0.000003 USD'],
  ['the factor applies to every class', {}, { input: 1_000, output: 1_000 }, '0.16', '0.00288 USD'],
  // 0.1 ÷ 0.3 has no end, and 0.1 is exact.
  [
    'a cache read costs its own price',
    { input: '0.3', cached: '0.1' },
    { cacheRead: 1_000_000 },
    '1',
    '0.1 USD',
  ],
  // 187.5 units each: a half is rounded up.
  [
    'a half of the last digit is rounded up',
    { input: '0.3', cached: '0.01875' },
    { cacheRead: 1 },
    '1',
    '0.0000000188 USD',
  ],
  ['CNY stay CNY', { currency: 'CNY', input: '4' }, { input: 1_000_000 }, '1', '4 CNY'],
  [
    'a long prompt has the price of its tier',
    { long: [{ above: 10, input: '6', output: '22.5' }] },
    { input: 11, output: 1 },
    '1',
    '0.0000885 USD',
  ],
  [
    'a tool of a price in CNY counts 7 to the dollar',
    { currency: 'CNY', tools: { search: '0.01' } },
    { tools: { search: 2 } },
    '1',
    '0.14 CNY',
  ],
  [
    'a price per call is independent of its tokens',
    { type: 'times', input: '0.04', output: '0' },
    { input: 5 },
    '1',
    '0.04 USD',
  ],
] as const)('%s', (_, price, counts, factor, expected) => {
  expect(listCost(price, counts, factor)).toBe(expected)
})

it('the factor of a list does not apply to its own prices, and a tool costs its own currency', () => {
  const list = { ...own({ tools: { search: '0.5' } }), factor: '0.5', currency: 'EUR' }
  expect(ownCost(list, { input: 1_000_000, tools: { search: 2 } })).toBe('4 EUR')
})

it('a list with a currency of its own has published prices in it', () => {
  const list = { ...defaultCostList, factor: '6.5', currency: 'CNY' }
  const { terms, currency } = termsOfListPrice(list, published({}))
  expect(currency).toBe('CNY')
  expect(formatCost(costUnits(prepareCost(terms).sum(usageOf({ output: 1_000_000 }))))).toBe('97.5')
})

it('the id of a version depends on currency and terms alone', () => {
  expect(versionIdOf('USD', '{}')).toBe(versionIdOf('USD', '{}'))
  expect(versionIdOf('CNY', '{}')).not.toBe(versionIdOf('USD', '{}'))
  expect(Number.isSafeInteger(versionIdOf('USD', '{}'))).toBe(true)
})
