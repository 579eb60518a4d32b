import { expect, it } from 'vitest'
import { makeTimers } from './timers.ts'

const manualClock = () => {
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
  const advance = (ms: number) => {
    for (let done = 0; done < ms; done += 5) {
      at += 5
      if (at % 25 === 0) tick?.()
    }
  }
  return {
    timers,
    advance,
    jump: (ms: number) => {
      at += ms
      tick?.()
    },
    ticks: () => tick !== undefined,
  }
}

it('fires once, never early and at most one tick late', () => {
  for (const ms of [1, 20, 25, 26, 990, 1_000, 20_000, 60_000]) {
    const { timers, advance } = manualClock()
    let fired = 0
    timers.start(ms, () => fired++)
    advance(Math.floor((ms - 1) / 5) * 5)
    expect(fired, `${ms} early`).toBe(0)
    advance(30)
    expect(fired, `${ms} late`).toBe(1)
    advance(30_000)
    expect(fired).toBe(1)
  }
})

it('a timer that is refreshed never fires, and fires when refreshing stops', () => {
  const { timers, advance } = manualClock()
  let fired = 0
  const timer = timers.start(100, () => fired++)
  for (let n = 0; n < 400; n++) {
    timers.refresh(timer, 100)
    advance(50)
  }
  expect(fired).toBe(0)
  advance(75)
  expect(fired).toBe(1)
})

it('a timer can be moved forward, stopped and restarted', () => {
  const { timers, advance } = manualClock()
  let fired = 0
  const timer = timers.start(10_000, () => fired++)
  timers.refresh(timer, 100)
  advance(130)
  expect(fired).toBe(1)
  timers.refresh(timer, 100)
  timers.stop(timer)
  advance(1_000)
  expect(fired).toBe(1)
  timers.refresh(timer, 100)
  advance(130)
  expect(fired).toBe(2)
})

it('a stalled process fires all due timers when it continues', () => {
  const { timers, jump } = manualClock()
  const fired: number[] = []
  for (const ms of [100, 5_000, 40_000, 90_000]) timers.start(ms, () => fired.push(ms))
  jump(50_000)
  expect(fired.sort((a, b) => a - b)).toEqual([100, 5_000, 40_000])
})

it('stops ticking when no timer is left', () => {
  const { timers, advance, ticks } = manualClock()
  const timer = timers.start(100, () => {})
  expect(ticks()).toBe(true)
  timers.stop(timer)
  advance(50)
  expect(ticks()).toBe(false)
  expect(timers.size()).toBe(0)
})
