import { expect, test } from 'vitest'
import { makeIdleDetector } from './idle-memory.ts'

test('memory is released once after each time of work, the start included', () => {
  const isFirstIdle = makeIdleDetector()
  const utilizations = [0.3, 0.001, 0.002, 0.5, 0.04, 0.019, 0.001]
  expect(utilizations.map(isFirstIdle)).toEqual([false, true, false, false, false, true, false])
})
