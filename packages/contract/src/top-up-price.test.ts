import fc from 'fast-check'
import { expect, it } from 'vitest'
import { minorDigits, priceTopUp, type TopUpTerms, topUpMax, topUpProblem } from './top-up-price.ts'

const terms = (changes: Partial<TopUpTerms> = {}): TopUpTerms => ({
  discounts: {},
  exchangeRate: 7.3,
  currency: 'USD',
  fixedFee: 0,
  percentFee: 0,
  ...changes,
})

/** Calculated by hand from section 9 of the specification: (value*discount + value*discount*fee rate)*exchange rate. */
const table: [
  amount: number,
  Partial<TopUpTerms>,
  expected: [cents: number, fee: number, charge: number],
][] = [
  [1, {}, [100, 0, 100]],
  [10, { currency: 'CNY' }, [1000, 0, 7300]],
  [100, { discounts: { 100: 0.9 } }, [9000, 0, 9000]],
  [100, { discounts: { 100: 0.9 }, percentFee: 0.05 }, [9000, 450, 9450]],
  // (100 * 0.9 + 100 * 0.9 * 0.05) * 7.3 = 689.85
  [100, { discounts: { 100: 0.9 }, percentFee: 0.05, currency: 'CNY' }, [9000, 450, 68_985]],
  // Another amount than that of the discount is sold at its full price.
  [101, { discounts: { 100: 0.9 }, percentFee: 0.05, currency: 'CNY' }, [10_100, 505, 77_417]],
  [50, { fixedFee: 0.3 }, [5000, 30, 5030]],
  // (50 + 0.3) * 7.3 = 367.19
  [50, { fixedFee: 0.3, currency: 'CNY' }, [5000, 30, 36_719]],
  // A percent fee replaces the fixed fee.
  [50, { fixedFee: 0.3, percentFee: 0.02 }, [5000, 100, 5100]],
  [20, { discounts: { 20: 0.95 }, fixedFee: 1 }, [1900, 100, 2000]],
  // 1 + 0.029 = 1.029, rounded once to 1.03
  [1, { percentFee: 0.029 }, [100, 3, 103]],
  // 1 * 1.005 = 1.005, whose binary floating-point value is below the half
  [1, { percentFee: 0.005 }, [100, 1, 101]],
  // (1 + 0.005) * 7.3 = 7.3365. Rounding the dollars first would charge 7.37.
  [1, { percentFee: 0.005, currency: 'CNY' }, [100, 1, 734]],
  // 3 * 0.85 = 2.55; * 1.006 = 2.5653; * 7.1234 = 18.27365802
  [
    3,
    { discounts: { 3: 0.85 }, percentFee: 0.006, exchangeRate: 7.1234, currency: 'CNY' },
    [255, 2, 1827],
  ],
  // 7 * 0.333 = 2.331; * 7.3 = 17.0163. The lines are 2.33 and no fee.
  [7, { discounts: { 7: 0.333 }, currency: 'CNY' }, [233, 0, 1702]],
  [topUpMax, { currency: 'CNY', percentFee: 0.05 }, [100_000_000, 5_000_000, 766_500_000]],
  [100, { currency: 'JPY', exchangeRate: 151.235 }, [10_000, 0, 15_124]],
  [1, { discounts: { 1: 0.0001 } }, [0, 0, 1]],
  [2, { percentFee: 1e-7 }, [200, 0, 200]],
]

it.each(table)(
  '%i dollars with %j cost what the specification says',
  (amount, changes, expected) => {
    const { discountedCents, feeCents, charge } = priceTopUp(amount, terms(changes))
    expect([discountedCents, feeCents, charge]).toEqual(expected)
  },
)

it('accepts whole amounts from the minimum to a million dollars', () => {
  const problems = [5, 1e6, 4, 1e6 + 1, 0, -5, 5.5, Number.NaN, Number.POSITIVE_INFINITY]
  expect(problems.map(amount => topUpProblem(amount, 5))).toEqual([
    undefined,
    undefined,
    'below_minimum',
    'above_maximum',
    'not_positive_integer',
    'not_positive_integer',
    'not_positive_integer',
    'not_positive_integer',
    'not_positive_integer',
  ])
})

it.each([
  [0, {}],
  [1.5, {}],
  [topUpMax + 1, {}],
  [1, { percentFee: -0.1 }],
  [1, { fixedFee: Number.NaN }],
  [1, { exchangeRate: Number.POSITIVE_INFINITY, currency: 'CNY' }],
  [1, { discounts: { 1: -1 } }],
  [topUpMax, { exchangeRate: 1e12, currency: 'CNY' }],
])('refuses %d dollars with %j', (amount, changes) => {
  expect(() => priceTopUp(amount, terms(changes))).toThrow(RangeError)
})

it('finds no discount in the names that every object has', () => {
  const discounts = JSON.parse('{"100": 0.5, "__proto__": {"7": 0.1}}') as Record<string, number>
  expect(priceTopUp(7, terms({ discounts })).charge).toBe(700)
})

/** A decimal as integer and number, so that the expectation needs no floating point. */
const decimal = (places: number, max: number) =>
  fc.integer({ min: 0, max }).map(units => ({ units, value: units / 10 ** places }))
const amounts = fc.integer({ min: 1, max: topUpMax })

it('equals the formula in integers of a common denominator', () => {
  const inputs = [amounts, decimal(4, 10_000), decimal(4, 30_000), decimal(6, 400_000_000)] as const
  fc.assert(
    fc.property(...inputs, (amount, discount, percentFee, rate) => {
      const price = priceTopUp(
        amount,
        terms({
          discounts: { [amount]: discount.value },
          percentFee: percentFee.value,
          exchangeRate: rate.value,
          currency: 'CNY',
        }),
      )
      // 10^14 times the exact charge, hence 10^12 per cent.
      const scaled =
        BigInt(amount) *
        BigInt(discount.units) *
        BigInt(10_000 + percentFee.units) *
        BigInt(rate.units)
      const cents = Number((scaled + 500_000_000_000n) / 1_000_000_000_000n)
      expect(price.charge).toBe(Math.max(1, cents))
    }),
    { numRuns: 2000 },
  )
})

it('charges no less for more dollars, a higher fee or a higher rate', () => {
  const inputs = [amounts, amounts, decimal(4, 30_000), decimal(4, 1_000_000)] as const
  fc.assert(
    fc.property(...inputs, (one, other, fee, rate) => {
      const charge = (amount: number, changes: Partial<TopUpTerms>) =>
        priceTopUp(amount, terms({ currency: 'CNY', ...changes })).charge
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      const base = { percentFee: fee.value, exchangeRate: rate.value }
      expect(charge(less, base)).toBeLessThanOrEqual(charge(more, base))
      expect(charge(less, base)).toBeLessThanOrEqual(
        charge(less, { ...base, exchangeRate: rate.value + 1 }),
      )
      expect(charge(less, base)).toBeLessThanOrEqual(
        charge(less, { ...base, percentFee: fee.value + 1 }),
      )
    }),
  )
})

it('prints lines that add up', () => {
  fc.assert(
    fc.property(amounts, decimal(4, 10_000), decimal(2, 10_000), (amount, discount, fixedFee) => {
      const price = priceTopUp(
        amount,
        terms({ discounts: { [amount]: discount.value }, fixedFee: fixedFee.value }),
      )
      expect(price.discountedCents + price.feeCents).toBe(price.totalCents)
      expect(price.feeCents).toBeGreaterThanOrEqual(0)
      expect(price.charge).toBe(Math.max(1, price.totalCents))
    }),
  )
})

it('knows currencies without cents', () => {
  expect([minorDigits('USD'), minorDigits('CNY'), minorDigits('JPY')]).toEqual([2, 2, 0])
})
