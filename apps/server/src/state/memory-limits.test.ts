import { expect, it } from 'vitest'
import { memoryLimits } from './memory-limits.ts'

const want = { kind: 'lease', key: 'k', limit: 1, amount: 1, windowSeconds: 60 } as const

it('a lease that nobody renews is over after half a minute, and one that is renewed is not', async () => {
  let now = 1_000
  const limits = memoryLimits(() => now)
  expect((await limits.take('dead', [want])).ok).toBe(true)
  now += 20_000
  await limits.renew([{ key: 'k', id: 'dead', amount: 1, windowSeconds: 60 }])
  now += 20_000
  expect((await limits.take('next', [want])).ok).toBe(false)
  now += 11_000
  expect((await limits.take('next', [want])).ok).toBe(true)
})
