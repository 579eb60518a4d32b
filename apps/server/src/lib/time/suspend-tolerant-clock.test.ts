import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startSuspendTolerantClock } from './suspend-tolerant-clock.ts'

it('advances like other clocks while the process runs, and barely while the process is blocked', async () => {
  const clock = startSuspendTolerantClock()
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
  const clock = startSuspendTolerantClock()
  let last = clock.now()
  for (let at = 0; at < 300; at += 1) {
    await sleep(1)
    expect(clock.now()).toBeGreaterThanOrEqual(last)
    last = clock.now()
  }
  clock.stop()
})
