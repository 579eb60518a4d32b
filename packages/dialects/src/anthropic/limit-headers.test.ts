import { expect, it } from 'vitest'
import { limitHeaders } from './limit-headers.ts'

it('limits are told with the moment at which they are whole again', () => {
  const allowance = { unit: 'tokens', limit: 96_000, remaining: 17, resetSeconds: 60 } as const
  expect(limitHeaders(allowance, Date.parse('2026-11-21T10:00:00.789Z'))).toEqual([
    'anthropic-ratelimit-tokens-limit',
    '96000',
    'anthropic-ratelimit-tokens-remaining',
    '17',
    'anthropic-ratelimit-tokens-reset',
    '2026-11-21T10:01:00Z',
  ])
})
