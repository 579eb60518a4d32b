import { expect, it } from 'vitest'
import { planBalanceChange } from './balance-change.ts'
import { manageRefusalOf, roleChangeRefusalOf } from './rank.ts'

const perUsd = 500_000

it('dollars become points exactly', () => {
  expect(planBalanceChange('1.1', 'add', 0, perUsd)).toEqual({ points: 550_000, after: 550_000 })
  expect(planBalanceChange('0.000002', 'add', 5, perUsd)).toEqual({ points: 1, after: 6 })
  expect(planBalanceChange('2', 'deduct', 1_500_000, perUsd)).toEqual({
    points: -1_000_000,
    after: 500_000,
  })
  expect(planBalanceChange('1', 'add', 0, 0.5)).toEqual({ points: 1, after: 1 })
})

it('deducts no more than the balance', () => {
  expect(planBalanceChange('3', 'deduct', 1_500_000, perUsd)).toEqual({
    points: -1_500_000,
    after: 0,
  })
  expect(planBalanceChange('3.000002', 'deduct', 1_500_000, perUsd)).toEqual({ problem: 'balance' })
})

it('names the problem of an invalid amount', () => {
  expect(planBalanceChange(' ', 'add', 0, perUsd)).toEqual({ problem: 'empty' })
  for (const text of ['0', '-1', 'abc', '1,5'])
    expect(planBalanceChange(text, 'add', 0, perUsd)).toEqual({ problem: 'number' })
  expect(planBalanceChange('0.0000001', 'add', 0, perUsd)).toEqual({ problem: 'small' })
  expect(planBalanceChange('99999999999999', 'add', 0, perUsd)).toEqual({ problem: 'large' })
  expect(planBalanceChange('1', 'add', Number.MAX_SAFE_INTEGER, perUsd)).toEqual({
    problem: 'large',
  })
})

it('an administrator cannot manage their own account, a peer or a superior', () => {
  const admin = { id: 2, role: 10 as const }
  const root = { id: 1, role: 100 as const }
  expect(manageRefusalOf(admin, { id: 2, role: 10 })).toBe('users.rank.self')
  expect(manageRefusalOf(admin, { id: 3, role: 10 })).toBe('users.rank.equal')
  expect(manageRefusalOf(admin, root)).toBe('users.rank.equal')
  expect(manageRefusalOf(admin, { id: 4, role: 1 })).toBeUndefined()
  expect(manageRefusalOf(root, admin)).toBeUndefined()
})

it('only the super administrator can change roles', () => {
  expect(roleChangeRefusalOf({ id: 2, role: 10 }, { id: 4, role: 1 })).toBe('users.rank.rootOnly')
  expect(roleChangeRefusalOf({ id: 1, role: 100 }, { id: 4, role: 1 })).toBeUndefined()
})
