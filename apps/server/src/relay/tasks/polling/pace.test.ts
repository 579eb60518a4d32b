import { expect, it } from 'vitest'
import { makePace } from './pace.ts'

it.each([1, 2, 5, 10, 20, 50, 333, 1_000])(
  'a limit of %d per second is used to four fifths',
  limit => {
    const { requests, intervalMs } = makePace(limit)
    const perSecond = (requests * 1_000) / intervalMs
    expect(perSecond).toBeLessThanOrEqual(limit * 0.8)
    expect(perSecond).toBeGreaterThan(limit * 0.7)
    // Two turns that move together stay within the limit.
    if (limit >= 10) expect(perSecond + 2 * requests).toBeLessThanOrEqual(limit * 1.05)
  },
)

it('0 is no limit', () => expect(makePace(0)).toEqual({ requests: 64, intervalMs: 0 }))
