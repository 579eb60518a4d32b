import { performance } from 'node:perf_hooks'

export type SuspendTolerantClock = {
  /** Milliseconds since the start in which this process was able to run. Never decreases. */
  now(): number
  /** The value of `now` at the last tick: at most a tenth of a second old, and free of a system call. */
  lastTick(): number
  stop(): void
}

const stepMs = 100
const stepMaxMs = 2 * stepMs

/**
 * Monotonic clock that caps jumps, so that a suspended or overloaded process does not mistake its own pause for a
 * remote timeout. Between two ticks it advances by at most two steps.
 */
export const startSuspendTolerantClock = (): SuspendTolerantClock => {
  let passed = 0
  let tickedAt = performance.now()
  const now = () => passed + Math.min(performance.now() - tickedAt, stepMaxMs)
  const timer = setInterval(() => {
    passed = now()
    tickedAt = performance.now()
  }, stepMs).unref()
  return { now, lastTick: () => passed, stop: () => clearInterval(timer) }
}
