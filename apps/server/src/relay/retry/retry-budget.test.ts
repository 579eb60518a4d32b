import { expect, it } from 'vitest'
import { RetryBudget } from './retry-budget.ts'

/** Calls that all fail, one every `everyMs`, with as many retries as the budget and `retriesMax` allow. */
const outage = (budget: RetryBudget, { calls, everyMs }: { calls: number; everyMs: number }) => {
  const retriesMax = 3
  let attempts = 0
  for (let n = 0; n < calls; n++) {
    const now = n * everyMs
    budget.addCall(now)
    attempts++
    for (let retry = 0; retry < retriesMax && budget.take(now) !== undefined; retry++) attempts++
  }
  return attempts
}

it('R18 when everything fails, attempts are at most 1.2 times the calls, and ten more in ten seconds', () => {
  const calls = 30_000
  const attempts = outage(new RetryBudget(), { calls, everyMs: 2 })
  expect(attempts).toBeLessThanOrEqual(calls * 1.2 + 10 * 6)
  expect(attempts).toBeGreaterThan(calls * 1.15)
})

it('the first ten retries within ten seconds are free, so that few calls are retried as often as the settings say', () => {
  const budget = new RetryBudget()
  expect(outage(budget, { calls: 3, everyMs: 100 })).toBe(12)
})

it('retries that were answered are given back, so that a flapping channel beside a healthy one costs no call', () => {
  const budget = new RetryBudget()
  for (let n = 0; n < 10_000; n++) {
    budget.addCall(n)
    const taken = budget.take(n)
    expect(taken).toBeDefined()
    budget.giveBack(taken!)
  }
})

it('retries older than ten seconds count no more, also when they are given back late', () => {
  const budget = new RetryBudget()
  const taken: number[] = []
  const takeAll = (now: number) => {
    for (let one = budget.take(now); one !== undefined; one = budget.take(now)) taken.push(one)
    return taken.length
  }
  expect(takeAll(0)).toBe(10)
  expect(takeAll(9_999)).toBe(10)
  expect(takeAll(10_000)).toBe(20)
  for (const one of taken.slice(0, 10)) budget.giveBack(one)
  expect(takeAll(10_000)).toBe(20)
  for (const one of taken.slice(10)) budget.giveBack(one)
  expect(takeAll(10_000)).toBe(30)
})
