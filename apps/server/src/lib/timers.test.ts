import { expect, it } from 'vitest'
import { makeTimers } from './timers.ts'

const handClock = () => {
  let at = 1_000
  let tick: (() => void) | undefined
  const timers = makeTimers({
    now: () => at,
    tickMs: 25,
    every: (_ms, each) => {
      tick = each
      return () => {
        tick = undefined
      }
    },
  })
  const pass = (ms: number) => {
    for (let done = 0; done < ms; done += 5) {
      at += 5
      if (at % 25 === 0) tick?.()
    }
  }
  return {
    timers,
    pass,
    jump: (ms: number) => {
      at += ms
      tick?.()
    },
    ticks: () => tick !== undefined,
  }
}

it('fires once, never early and at most one tick late', () => {
  for (const ms of [1, 20, 25, 26, 990, 1_000, 20_000, 60_000]) {
    const { timers, pass } = handClock()
    let fired = 0
    timers.start(ms, () => fired++)
    pass(Math.floor((ms - 1) / 5) * 5)
    expect(fired, `${ms} early`).toBe(0)
    pass(30)
    expect(fired, `${ms} late`).toBe(1)
    pass(30_000)
    expect(fired).toBe(1)
  }
})

it('a limit that is moved on never fires, and fires when it is no longer moved', () => {
  const { timers, pass } = handClock()
  let fired = 0
  const timer = timers.start(100, () => fired++)
  for (let n = 0; n < 400; n++) {
    timers.touch(timer, 100)
    pass(50)
  }
  expect(fired).toBe(0)
  pass(75)
  expect(fired).toBe(1)
})

it('a limit can be brought forward, stopped and started again', () => {
  const { timers, pass } = handClock()
  let fired = 0
  const timer = timers.start(10_000, () => fired++)
  timers.touch(timer, 100)
  pass(130)
  expect(fired).toBe(1)
  timers.touch(timer, 100)
  timers.stop(timer)
  pass(1_000)
  expect(fired).toBe(1)
  timers.touch(timer, 100)
  pass(130)
  expect(fired).toBe(2)
})

it('a stalled process fires what is due when it goes on', () => {
  const { timers, jump } = handClock()
  const fired: number[] = []
  for (const ms of [100, 5_000, 40_000, 90_000]) timers.start(ms, () => fired.push(ms))
  jump(50_000)
  expect(fired.sort((a, b) => a - b)).toEqual([100, 5_000, 40_000])
})

it('rests when there is nothing to watch', () => {
  const { timers, pass, ticks } = handClock()
  const timer = timers.start(100, () => {})
  expect(ticks()).toBe(true)
  timers.stop(timer)
  pass(50)
  expect(ticks()).toBe(false)
  expect(timers.size()).toBe(0)
})
