import { expect, it } from 'vitest'
import { formatCharge, formatQuota, usedPercent, usedTone } from './quota.ts'

const site = { quota_per_unit: 500_000, display_in_currency: true }

it('the usage bar changes its colour at 60 and at 85 percent', () => {
  expect([0, 59.9, 60, 84.9, 85, 100].map(usedTone)).toEqual([
    'success',
    'success',
    'warning',
    'warning',
    'error',
    'error',
  ])
})

it('an account without quota and usage counts as 0 percent used', () => {
  expect(usedPercent({ quota: 0, used_quota: 0 })).toBe(0)
  expect(usedPercent({ quota: 40, used_quota: 60 })).toBe(60)
})

it('balances have two decimals, and a charge is never shown as zero', () => {
  expect(formatQuota(66_500_000, site)).toBe('$133.00')
  expect(formatQuota(0, site)).toBe('$0.00')
  expect(formatQuota(6, site)).toBe('$0.00')
  expect(formatQuota(1_234, site)).toBe('$0.00')
  expect(formatCharge(6, site)).toBe('$0.000012')
  expect(formatQuota(-500_000, site)).toBe('-$1.00')
})

it('charges keep six significant digits', () => {
  expect(formatCharge(1, site)).toBe('$0.000002')
  expect(formatCharge(617_283, site)).toBe('$1.23457')
})

it('without currency, points are abbreviated', () => {
  const points = { ...site, display_in_currency: false }
  expect([9999, 12_345, 1_234_567, 2e9].map(value => formatQuota(value, points))).toEqual([
    '9,999',
    '12.3k',
    '1.2M',
    '2.0B',
  ])
})
