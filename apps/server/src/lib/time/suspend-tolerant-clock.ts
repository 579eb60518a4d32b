import { performance } from 'node:perf_hooks'

export type SuspendTolerantClock = {
  /** Milliseconds in which this process was able to run while the clock was running. Never decreases. */
  now(): number
  /** The value of `now` at the last tick: at most a tenth of a second old, and free of a system call. */
  lastTick(): number
  /** Runs the clock. Starting a running clock does nothing. */
  start(): void
  /** Stands the clock still. A standing clock has no timer, so that nothing wakes a server at rest. */
  stop(): void
}

const stepMs = 100
const stepMaxMs = 2 * stepMs

/**
 * Monotonic clock that caps jumps, so that a suspended or overloaded process does not mistake its own pause for a
 * remote timeout. Between two ticks it advances by at most two steps. It stands until it is started.
 */
export const makeSuspendTolerantClock = (): SuspendTolerantClock => {
  let passed = 0
  let tickedAt = 0
  let timer: NodeJS.Timeout | undefined
  const now = () =>
    timer === undefined ? passed : passed + Math.min(performance.now() - tickedAt, stepMaxMs)
  const tick = () => {
    passed = now()
    tickedAt = performance.now()
  }
  return {
    now,
    lastTick: () => passed,
    start: () => {
      if (timer !== undefined) return
      tickedAt = performance.now()
      timer = setInterval(tick, stepMs).unref()
    },
    stop: () => {
      passed = now()
      clearInterval(timer)
      timer = undefined
    },
  }
}
