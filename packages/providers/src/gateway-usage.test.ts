import { expect, it } from 'vitest'
import { gatewayUsage } from './gateway-usage.ts'

const key = { mode: 'quota_limited', isValid: true, status: 'active' }
const open = { mode: 'unrestricted', isValid: true, unit: 'USD' }
const quota = (remaining: unknown, unit = 'USD') => ({
  ...{ ...key, remaining, unit },
  quota: { limit: 100, used: 75, remaining, unit },
})
const windows = (...remaining: unknown[]) => ({
  ...key,
  rate_limits: ['5h', '1d', '7d'].slice(0, remaining.length).map((window, index) => ({
    ...{ window, limit: 50, used: 1, remaining: remaining[index] },
    window_start: '2026-11-29T00:00:00Z',
  })),
})
const subscribed = (limits: object, remaining: unknown = 15) => ({
  ...{ ...open, planName: 'Pro', remaining },
  subscription: {
    ...{ daily_usage_usd: 5, weekly_usage_usd: 30, monthly_usage_usd: 90 },
    ...{ daily_limit_usd: null, weekly_limit_usd: null, monthly_limit_usd: null },
    ...limits,
  },
})
const wallet = (balance: unknown) => ({
  ...{ ...open, planName: '钱包余额', remaining: balance, balance },
})

/** Answers of sub2api, and the balance with its kind. Undefined: the answer says none. */
const shapes: readonly [about: string, answer: unknown, expected: string | undefined][] = [
  ['the wallet', wallet(7.25), '7.25 wallet'],
  ['an empty wallet', wallet(0), '0 wallet'],
  ['a wallet that the last call brought below zero', wallet(-1), '-1 wallet'],
  ['a wallet in text', wallet('7.25'), '7.25 wallet'],
  ['a wallet that is null', wallet(null), undefined],
  ['a huge wallet', wallet(1e300), undefined],
  ['the quota of a key', quota(25), '25 key'],
  ['the quota of a key that is spent', { ...quota(0), status: 'quota_exhausted' }, '0 key'],
  ['the quota of a key next to windows', { ...windows(3, 4, 5), ...quota(25) }, '25 key'],
  ['the quota of a key that expired', { ...quota(25), status: 'expired' }, undefined],
  ['a quota below zero', quota(-1), undefined],
  ['a quota that is a word', quota('much'), undefined],
  ['a quota in points', { ...quota(25, 'points'), unit: 'USD' }, undefined],
  ['a quota without a rest', { ...key, quota: {} }, undefined],
  ['a quota that is a list', { ...key, quota: [25] }, undefined],
  ['the window of five hours', windows(12.5), '12.5 window'],
  ['the narrowest of three windows', windows(40, 2.5, 30), '2.5 window'],
  ['a window that is spent', windows(0, 20, 30), '0 window'],
  ['windows of which one is broken', windows('much', 20, null), '20 window'],
  ['windows that are all broken', windows(null, -3), undefined],
  ['no windows', { ...key, rate_limits: [] }, undefined],
  ['a subscription by day', subscribed({ daily_limit_usd: 20 }), '15 window'],
  ['a subscription by week', subscribed({ weekly_limit_usd: 100 }, 70), '70 window'],
  ['a subscription by month', subscribed({ monthly_limit_usd: 90.5 }, 0.5), '0.5 window'],
  [
    'a subscription whose limit of a day is 0, which is none',
    subscribed({ daily_limit_usd: 0, weekly_limit_usd: 100 }, 70),
    '70 window',
  ],
  [
    'the narrowest period of a subscription',
    subscribed({ daily_limit_usd: 20, weekly_limit_usd: 31, monthly_limit_usd: 100 }, 1),
    '1 window',
  ],
  ['a period that is overdrawn', subscribed({ daily_limit_usd: 4 }, 0), '0 window'],
  ['a subscription without limits', subscribed({}, -1), undefined],
  [
    'a subscription with a broken use',
    subscribed({ daily_limit_usd: 20, daily_usage_usd: 'x' }),
    undefined,
  ],
  ['a subscription that is not running', { ...open, planName: 'Pro' }, undefined],
  ['another gateway with a rest alone', { isValid: true, remaining: 7.25, unit: 'USD' }, '7.25 '],
  ['a rest without a unit', { remaining: 7.25 }, '7.25 '],
  ['a rest of -1, which is no limit', { ...open, remaining: -1 }, undefined],
  ['a key that is not valid', { ...wallet(7.25), isValid: false }, undefined],
  ['points of this gateway', { ...wallet(7.25), unit: 'points' }, undefined],
  ['an error', { error: { message: 'Invalid API key' } }, undefined],
  ['the usage of another service', { object: 'list', data: [] }, undefined],
  ['a page', undefined, undefined],
  ['null', null, undefined],
  ['a list', [], undefined],
  ['a word', 'usage', undefined],
  ['a number', 5, undefined],
]

it.each(shapes)('reads %s', (_, answer, expected) => {
  const balance = gatewayUsage.read([answer])
  expect(balance && `${balance.amount} ${balance.kind}`).toBe(expected)
  if (balance) expect(balance.currency).toBe('USD')
})
