import { expect, it } from 'vitest'
import { memoryLimits } from './memory-limits.ts'

const request = { kind: 'lease', key: 'k', limit: 1, amount: 1, windowSeconds: 60 } as const

it('a lease ends 30 seconds after its last renewal', async () => {
  let now = 1_000
  const limits = memoryLimits(() => now)
  expect((await limits.take('dead', [request])).ok).toBe(true)
  now += 20_000
  await limits.renew([{ key: 'k', id: 'dead', amount: 1, windowSeconds: 60 }])
  now += 20_000
  expect((await limits.take('next', [request])).ok).toBe(false)
  now += 11_000
  expect((await limits.take('next', [request])).ok).toBe(true)
})
