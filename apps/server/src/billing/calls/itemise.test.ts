import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prepareCost } from '../price.ts'
import { type Terms, termsAt, termsOf } from '../prices/terms.ts'
import { tokenClasses, usageOf } from '../usage.ts'
import { itemise } from './itemise.ts'

/** Rounded up to a whole point. */
const pointsOf = (sum: string): number => {
  const [whole = '0', part = ''] = sum.split('.')
  return Number(whole) + (/[1-9]/.test(part) ? 1 : 0)
}

const decimal = fc.oneof(
  fc.constant('0'),
  fc
    .tuple(fc.nat(50), fc.nat(999_999))
    .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`),
)
const usage = fc
  .tuple(
    fc.array(fc.nat(3_000_000), {
      minLength: tokenClasses.length,
      maxLength: tokenClasses.length,
    }),
    fc.nat(4),
  )
  .map(([counts, searches]) =>
    usageOf({
      ...Object.fromEntries(tokenClasses.map((each, at) => [each, counts[at] ?? 0])),
      ...(searches ? { tools: { web_search: searches } } : {}),
    }),
  )
const terms: fc.Arbitrary<Terms> = fc
  .record({
    type: fc.constantFrom('tokens' as const, 'times' as const),
    input: decimal,
    output: decimal,
    ratio: decimal,
    reasoning: decimal,
    group: decimal,
    dear: decimal,
    above: fc.integer({ min: 1, max: 9_000_000 }),
  })
  .map(({ group, ratio, reasoning, dear, above, ...price }) =>
    termsOf(
      {
        ...{ model: 'm', channel_type: 14, ...price },
        tiers: JSON.stringify([{ above, input: dear, output: '0' }]),
        extra_ratios: JSON.stringify({ cached_write_tokens: ratio, reasoning_tokens: reasoning }),
      },
      group,
      { web_search: '5000' },
    ),
  )

it('the lines add up to the charge for every usage and price', () => {
  fc.assert(
    fc.property(terms, usage, (terms, usage) => {
      const points = pointsOf(itemise(terms, usage).sum)
      const { isFree } = prepareCost({ ...termsAt(terms, usage), tiers: [] })
      expect(prepareCost(terms).cost(usage)).toBe(isFree ? points : Math.max(1, points))
    }),
    { numRuns: 3000 },
  )
})

it('a line has count, price, ratio and points', () => {
  const price = { model: 'm', type: 'tokens' as const, channel_type: 0, input: '1.25', output: '5' }
  const extra_ratios = '{"cached_read_tokens":"0.1"}'
  const at = termsOf({ ...price, extra_ratios }, '0.5', { web_search: '5000' })
  expect(
    itemise(at, usageOf({ input: 7, cacheRead: 3, output: 2, tools: { web_search: 1 } })),
  ).toEqual({
    items: [
      { kind: 'input', side: 'input', count: 7, price: '1.25', ratio: '1', points: '4.375' },
      { kind: 'cacheRead', side: 'input', count: 3, price: '1.25', ratio: '0.1', points: '0.1875' },
      { kind: 'output', side: 'output', count: 2, price: '5', ratio: '1', points: '5' },
      { kind: 'web_search', side: 'tool', count: 1, price: '5000', ratio: '1', points: '2500' },
    ],
    sum: '2509.5625',
  })
  const call = termsOf({ ...price, type: 'times', extra_ratios: null }, '2', {})
  expect(itemise(call, usageOf({ input: 9 }))).toEqual({
    items: [{ kind: 'call', side: 'call', count: 1, price: '1250', ratio: '1', points: '2500' }],
    sum: '2500',
  })
})
