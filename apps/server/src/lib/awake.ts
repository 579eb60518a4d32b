import { performance } from 'node:perf_hooks'

export type AwakeClock = {
  /** Milliseconds since the clock was started in which this process could run. Never goes back. */
  now(): number
  /** The same, as of the last look: at most a tenth of a second ago, and for nothing. */
  roughly(): number
  stop(): void
}

const stepMs = 100
const stepMaxMs = 2 * stepMs

/**
 * Whoever calls another dead because of its silence must not count the time in which it could not have heard it: a
 * machine that was paused, or so loaded that no turn came, goes on with every other clock seconds ahead and the answers
 * still unread. Between two looks this one advances by at most two steps.
 */
export const startAwakeClock = (): AwakeClock => {
  let passed = 0
  let looked = performance.now()
  const now = () => passed + Math.min(performance.now() - looked, stepMaxMs)
  const timer = setInterval(() => {
    passed = now()
    looked = performance.now()
  }, stepMs).unref()
  return { now, roughly: () => passed, stop: () => clearInterval(timer) }
}
