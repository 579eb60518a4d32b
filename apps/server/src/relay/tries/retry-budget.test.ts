import { expect, it } from 'vitest'
import { RetryBudget, type TakenRetry } from './retry-budget.ts'

const call = () => ({ firstByteAt: undefined as number | undefined })

/** Calls that all fail, one every `everyMs`, with as many retries as the budget and `retriesMax` allow. */
const outage = (budget: RetryBudget, { calls, everyMs }: { calls: number; everyMs: number }) => {
  const retriesMax = 3
  let attempts = 0
  for (let n = 0; n < calls; n++) {
    const now = n * everyMs
    budget.addCall(now)
    attempts++
    for (let retry = 0; retry < retriesMax && budget.takeRetry(now, call()) !== undefined; retry++)
      attempts++
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
    const taken = budget.takeRetry(n, call())
    expect(taken).toBeDefined()
    budget.end(taken!, true)
  }
})

it('retries older than ten seconds count no more, also when they are given back late', () => {
  const budget = new RetryBudget()
  const taken: TakenRetry[] = []
  const takeAll = (now: number) => {
    const take = () => budget.takeRetry(now, call())
    for (let one = take(); one !== undefined; one = take()) taken.push(one)
    return taken.length
  }
  expect(takeAll(0)).toBe(10)
  expect(takeAll(9_999)).toBe(10)
  expect(takeAll(10_000)).toBe(20)
  for (const one of taken.slice(0, 10)) budget.end(one, true)
  expect(takeAll(10_000)).toBe(20)
  for (const one of taken.slice(10)) budget.end(one, true)
  expect(takeAll(10_000)).toBe(30)
})

it('a retry is given back with its first byte, so that long streams keep none', () => {
  const budget = new RetryBudget()
  const calls = Array.from({ length: 10 }, call)
  for (const each of calls) expect(budget.takeRetry(0, each)).toBeDefined()
  expect(budget.takeRetry(1, call())).toBeUndefined()
  calls[0]!.firstByteAt = 1
  const next = budget.takeRetry(2, call())
  expect(next).toBeDefined()
  expect(budget.takeRetry(2, call())).toBeUndefined()
  expect(budget.takeHedge(2)).toBe(false)
})

it('a retry in vain is not given back by a later answer to its call', () => {
  const budget = new RetryBudget()
  const answered = call()
  const inVain = budget.takeRetry(0, answered)!
  for (let n = 0; n < 9; n++) budget.takeRetry(0, call())
  budget.end(inVain, false)
  answered.firstByteAt = 1
  expect(budget.takeRetry(1, call())).toBeUndefined()
})
