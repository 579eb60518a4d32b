import { expect, it } from 'vitest'
import { formatDuration } from './numbers.ts'

it('durations are shown in milliseconds, seconds or minutes', () => {
  expect([640, 1240, 65_000].map(formatDuration)).toEqual(['640 ms', '1.24 s', '1 min 5 s'])
})
