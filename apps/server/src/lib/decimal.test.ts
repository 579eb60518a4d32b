import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  canonicalDecimal,
  divide,
  formatDecimal,
  multiply,
  parseDecimal,
  rescale,
} from './decimal.ts'

it('reads every notation that JavaScript prints and people type', () => {
  const same: [string | number, string][] = [
    [1e-7, '0.0000001'],
    ['1e-7', '0.0000001'],
    [0.1, '0.1'],
    ['0.10', '0.1'],
    ['.5', '0.5'],
    ['5.', '5'],
    [1e21, '1000000000000000000000'],
    ['-1.50', '-1.5'],
    ['007', '7'],
    [-0, '0'],
    ['0e5', '0'],
    [1.7976931348623157e308, `17976931348623157${'0'.repeat(292)}`],
  ]
  for (const [value, text] of same) expect(canonicalDecimal(value)).toBe(text)
})

it('refuses text that is no finite decimal number', () => {
  for (const value of [
    '',
    '.',
    'e5',
    '1e',
    '0x10',
    '1_000',
    ' 1',
    '1,5',
    'Infinity',
    '--1',
    '1e99999',
  ])
    expect(parseDecimal(value), value).toBeUndefined()
  expect(parseDecimal(Number.NaN)).toBeUndefined()
  expect(parseDecimal(Number.POSITIVE_INFINITY)).toBeUndefined()
})

it('round-trips every finite JavaScript number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
      expect(Number(canonicalDecimal(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})

it('multiplies without losing a digit', () => {
  const part = fc.bigInt({ min: 0n, max: 10n ** 20n })
  const scale = fc.integer({ min: 0, max: 12 })
  fc.assert(
    fc.property(part, scale, part, scale, (a, s, b, t) => {
      const product = multiply({ digits: a, scale: s }, { digits: b, scale: t })
      expect(rescale(product, s + t)).toBe(a * b)
      expect(parseDecimal(formatDecimal(product))).toEqual(product)
    }),
  )
})

it('truncates a quotient by less than one unit of the last place', () => {
  const part = fc.bigInt({ min: 0n, max: 10n ** 20n })
  const whole = fc.bigInt({ min: 1n, max: 10n ** 20n })
  const scale = fc.integer({ min: 0, max: 12 })
  fc.assert(
    fc.property(part, scale, whole, scale, (a, s, b, t) => {
      const divisor = { digits: b, scale: t }
      const quotient = divide({ digits: a, scale: s }, divisor, 12)
      const least = rescale(multiply(quotient, divisor), 24)
      const most = least + rescale(divisor, 12)
      const exact = rescale({ digits: a, scale: s }, 24)
      expect(least <= exact && exact < most).toBe(true)
    }),
  )
})
