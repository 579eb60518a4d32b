import { expect, it } from 'vitest'
import { toDecimalText, toMinorUnits } from './amounts.ts'

it('decimal text becomes minor units without a rounding error', () => {
  const cases = { '19.99': 1999, '0.01': 1, '7': 700, '7.3': 730, '1.10': 110, '1.1000': 110 }
  for (const [text, minor] of Object.entries(cases)) expect(toMinorUnits(text), text).toBe(minor)
  for (let minor = 0; minor < 20_000; minor++)
    expect(toMinorUnits(toDecimalText(minor))).toBe(minor)
})

it('anything but a decimal number of at most two places is refused', () => {
  for (const text of [
    '',
    '-1',
    '+1',
    '1e3',
    '1.001',
    ' 1',
    '1,00',
    '0x10',
    'NaN',
    '1.',
    '.5',
    '１',
  ])
    expect(toMinorUnits(text), text).toBeUndefined()
})
