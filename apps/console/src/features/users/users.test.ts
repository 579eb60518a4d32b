import { expect, it } from 'vitest'
import { planQuota } from './quota.ts'
import { refusalOf, roleRefusalOf } from './rank.ts'

const perUsd = 500_000

it('dollars become points exactly', () => {
  expect(planQuota('1.1', 'add', 0, perUsd)).toEqual({ points: 550_000, after: 550_000 })
  expect(planQuota('0.000002', 'add', 5, perUsd)).toEqual({ points: 1, after: 6 })
  expect(planQuota('2', 'take', 1_500_000, perUsd)).toEqual({ points: -1_000_000, after: 500_000 })
  expect(planQuota('1', 'add', 0, 0.5)).toEqual({ points: 1, after: 1 })
})

it('takes no more than the balance', () => {
  expect(planQuota('3', 'take', 1_500_000, perUsd)).toEqual({ points: -1_500_000, after: 0 })
  expect(planQuota('3.000002', 'take', 1_500_000, perUsd)).toEqual({ problem: 'balance' })
})

it('says what is wrong with an amount', () => {
  expect(planQuota(' ', 'add', 0, perUsd)).toEqual({ problem: 'empty' })
  for (const text of ['0', '-1', 'abc', '1,5'])
    expect(planQuota(text, 'add', 0, perUsd)).toEqual({ problem: 'number' })
  expect(planQuota('0.0000001', 'add', 0, perUsd)).toEqual({ problem: 'small' })
  expect(planQuota('99999999999999', 'add', 0, perUsd)).toEqual({ problem: 'large' })
  expect(planQuota('1', 'add', Number.MAX_SAFE_INTEGER, perUsd)).toEqual({ problem: 'large' })
})

it('nobody manages themself, a peer or a superior', () => {
  const admin = { id: 2, role: 10 as const }
  const root = { id: 1, role: 100 as const }
  expect(refusalOf(admin, { id: 2, role: 10 })).toBe('users.rank.self')
  expect(refusalOf(admin, { id: 3, role: 10 })).toBe('users.rank.equal')
  expect(refusalOf(admin, root)).toBe('users.rank.equal')
  expect(refusalOf(admin, { id: 4, role: 1 })).toBeUndefined()
  expect(refusalOf(root, admin)).toBeUndefined()
})

it('only the super administrator changes roles', () => {
  expect(roleRefusalOf({ id: 2, role: 10 }, { id: 4, role: 1 })).toBe('users.rank.rootOnly')
  expect(roleRefusalOf({ id: 1, role: 100 }, { id: 4, role: 1 })).toBeUndefined()
})
