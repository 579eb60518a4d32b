import { expect, it } from 'vitest'
import { coalesce } from './coalesce.ts'

it('runs once for all who ask at the same time, and once more for those who ask meanwhile', async () => {
  let runs = 0
  const ends: (() => void)[] = []
  const read = coalesce(async () => {
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

it('gives nobody what was read before asking, also in the turn in which a run ends', async () => {
  let truth = 0
  const read = coalesce(async () => {
    const seen = truth
    await undefined
    return seen
  })
  for (let round = 0; round < 50; round += 1) {
    const asking = read()
    // Every turn of the queue from the middle of a run to after its end.
    for (let turn = 0; turn < round % 10; turn += 1) await undefined
    truth += 1
    expect([round, await read()]).toEqual([round, truth])
    await asking
  }
})

it('a run that failed fails for those who asked, and the next one runs again', async () => {
  let isBroken = true
  const read = coalesce(async () => {
    await undefined
    if (isBroken) throw new Error('away')
    return 'here'
  })
  await expect(read()).rejects.toThrow('away')
  isBroken = false
  expect(await read()).toBe('here')
})
