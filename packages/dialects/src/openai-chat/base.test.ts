import { expect, it } from 'vitest'
import { limitHeaders } from './base.ts'

it('limits are told with the time until they are whole again', () => {
  expect(limitHeaders({ unit: 'requests', limit: 60, remaining: 59, resetSeconds: 1 })).toEqual([
    'x-ratelimit-limit-requests',
    '60',
    'x-ratelimit-remaining-requests',
    '59',
    'x-ratelimit-reset-requests',
    '1s',
  ])
})
