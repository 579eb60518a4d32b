import { expect, it } from 'vitest'
import { type BalanceLimits, type BalanceWarning, levelOf, warningOf } from './warning.ts'

const now = 1_790_000_000
const inDays = (days: number) => now + days * 86_400

type Case = readonly [
  about: string,
  balance: { amount: number; kind?: string; until?: number | null },
  limits: Partial<BalanceLimits>,
  before: BalanceWarning,
  expected: BalanceWarning,
]

const cases: readonly Case[] = [
  ['an unknown end', { amount: 1 }, { days: 3 }, '', ''],
  ['an end that is far away', { amount: 1, until: inDays(3) }, { days: 3 }, '', ''],
  ['an end in less than the days', { amount: 1, until: inDays(2.9) }, { days: 3 }, '', 'days'],
  ['an end that has passed', { amount: 1, until: inDays(-4) }, { days: 3 }, '', 'days'],
  ['an end while the setting is off', { amount: 1, until: inDays(1) }, { days: 0 }, '', ''],
  ['an off setting after a warning', { amount: 1, until: inDays(0.5) }, { days: 0 }, 'days', ''],
  ['an end that is hardly further', { amount: 1, until: inDays(3.5) }, { days: 3 }, 'days', 'days'],
  ['an end that is a day further', { amount: 1, until: inDays(4) }, { days: 3 }, 'days', ''],
  ['a limit that is reached', { amount: 9.99 }, { below: 10 }, '', 'below'],
  ['a limit that is not', { amount: 10 }, { below: 10 }, 'below', ''],
  ['limit and days', { amount: 9, until: inDays(1) }, { below: 10, days: 3 }, '', 'below'],
  ['nothing left', { amount: 0 }, {}, '', 'empty'],
  ['less than nothing', { amount: -0.01, until: inDays(0) }, { days: 3, below: 5 }, '', 'empty'],
  ['a spent window', { amount: 0, kind: 'window' }, { days: 3 }, '', ''],
  ['a spent window with a limit', { amount: 0, kind: 'window' }, { below: 1 }, '', 'below'],
  ['a spent key', { amount: 0, kind: 'key' }, {}, '', 'empty'],
]

it.each(cases)('judges %s', (_, balance, limits, before, expected) => {
  const complete = { kind: 'wallet', until: null, ...balance }
  expect(warningOf(complete, { below: 0, days: 0, ...limits }, { before, now })).toBe(expected)
})

it('an empty account is one message more than a low one', () => {
  expect((['', 'days', 'below', 'empty'] as const).map(levelOf)).toEqual([0, 1, 1, 2])
})
