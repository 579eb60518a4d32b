import { expect, it } from 'vitest'
import {
  ceiling,
  compare,
  decimal,
  dividedBy,
  minus,
  plus,
  readDecimal,
  significant,
  times,
  truncated,
  writeDecimal,
} from './decimal.ts'

it('decimal, exponent and signed notation are read', () => {
  expect(writeDecimal(decimal('0.00125'))).toBe('0.00125')
  expect(writeDecimal(decimal(1e-7))).toBe('0.0000001')
  expect(writeDecimal(decimal('1.5e3'))).toBe('1500')
  expect(writeDecimal(decimal('-.5'))).toBe('-0.5')
  for (const text of ['', '.', '1,5', 'NaN', '1e9999', '--1'])
    expect(readDecimal(text)).toBeUndefined()
})

it('sums and products are exact', () => {
  expect(writeDecimal(plus(decimal('0.1'), decimal('0.2')))).toBe('0.3')
  expect(writeDecimal(minus(decimal(1), decimal('0.9')))).toBe('0.1')
  expect(writeDecimal(times(decimal('1.1'), decimal('1.1')))).toBe('1.21')
})

it('quotients are rounded to the given places, half away from zero', () => {
  expect(writeDecimal(dividedBy(decimal(1), decimal(3), 4))).toBe('0.3333')
  expect(writeDecimal(dividedBy(decimal(2), decimal(3), 4))).toBe('0.6667')
  expect(writeDecimal(dividedBy(decimal('-0.5'), decimal(1), 0))).toBe('-1')
})

it('rounding to points is the same as in the ledger', () => {
  expect(ceiling(decimal('22500.0000001'))).toBe(22501n)
  expect(ceiling(decimal('22500'))).toBe(22500n)
  expect(truncated(decimal('-0.9'))).toBe(0n)
})

it('precision is counted in significant digits, not in places', () => {
  expect(significant(decimal('0.000012345678'))).toBe('0.0000123457')
  expect(significant(decimal('1234567.89'))).toBe('1234568')
  expect(significant(decimal('2.50'))).toBe('2.5')
  expect(compare(decimal('0.1'), decimal('0.10'))).toBe(0)
})
