import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeSuspendTolerantClock } from './suspend-tolerant-clock.ts'

const startClock = () => {
  const clock = makeSuspendTolerantClock()
  clock.start()
  return clock
}

it('advances like other clocks while the process runs, and barely while the process is blocked', async () => {
  const clock = startClock()
  const start = [clock.now(), performance.now()] as const
  await sleep(450)
  const ran = [clock.now() - start[0], performance.now() - start[1]] as const
  expect(ran[0]).toBeGreaterThan(200)
  expect(ran[0]).toBeLessThanOrEqual(ran[1] + 1)

  const before = clock.now()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  expect(clock.now() - before).toBeLessThanOrEqual(200)
  await sleep(0)
  expect(clock.now() - before).toBeLessThan(500)
  clock.stop()
})

it('never decreases', async () => {
  const clock = startClock()
  let last = clock.now()
  for (let at = 0; at < 300; at += 1) {
    await sleep(1)
    expect(clock.now()).toBeGreaterThanOrEqual(last)
    last = clock.now()
  }
  clock.stop()
})

it('stands before its start and after its stop, and continues at its time', async () => {
  const clock = makeSuspendTolerantClock()
  await sleep(30)
  expect([clock.now(), clock.lastTick()]).toEqual([0, 0])
  clock.start()
  await sleep(30)
  clock.start()
  clock.stop()
  const stopped = clock.now()
  expect(stopped).toBeGreaterThanOrEqual(29)
  await sleep(150)
  expect([clock.now(), clock.lastTick()]).toEqual([stopped, stopped])
  clock.start()
  expect(clock.now() - stopped).toBeLessThan(100)
  clock.stop()
})
