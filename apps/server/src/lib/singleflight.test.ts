import { expect, it } from 'vitest'
import { singleflight } from './singleflight.ts'

it('runs once for concurrent callers, and once more for callers that arrive during the run', async () => {
  let runs = 0
  const ends: (() => void)[] = []
  const read = singleflight(async () => {
    runs += 1
    const mine = runs
    await new Promise<void>(resolve => ends.push(resolve))
    return mine
  })
  const first = [read(), read()]
  expect(runs).toBe(1)
  const later = [read(), read()]
  ends.shift()?.()
  await new Promise(setImmediate)
  expect(runs).toBe(2)
  ends.shift()?.()
  expect(await Promise.all([...first, ...later])).toEqual([2, 2, 2, 2])
})

it('returns no result that was read before the call, also in the turn in which a run ends', async () => {
  let truth = 0
  const read = singleflight(async () => {
    const seen = truth
    await undefined
    return seen
  })
  for (let round = 0; round < 50; round += 1) {
    const pending = read()
    // Every microtask turn from the middle of a run to after its end.
    for (let turn = 0; turn < round % 10; turn += 1) await undefined
    truth += 1
    expect([round, await read()]).toEqual([round, truth])
    await pending
  }
})

it('a failed run rejects for its callers, and the next call runs again', async () => {
  let isBroken = true
  const read = singleflight(async () => {
    await undefined
    if (isBroken) throw new Error('unavailable')
    return 'available'
  })
  await expect(read()).rejects.toThrow('unavailable')
  isBroken = false
  expect(await read()).toBe('available')
})
