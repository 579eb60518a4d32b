import { performance } from 'node:perf_hooks'

/** Milliseconds in which the event loop worked and waited, since it started. */
type LoopTimes = { active: number; idle: number }

/** The share is measured over at least this long: a shorter time is one burst. */
const sampleMinMs = 50
/** Above this share of its time the event loop is busy, and other calls use the time in which an operation waits. */
const busyShare = 0.9
/** The window of an event loop that never waits. */
const windowMaxMs = 4

/**
 * Decides how long the writer collects operations before it writes them: not at all unless the event loop is busy. Callers
 * who all wait for the window make the loop idle, and this ends the window, so that they never march in step.
 */
export class BatchWindow {
  readonly #readTimes: () => LoopTimes
  #sampled: LoopTimes
  #milliseconds = 0

  constructor(readTimes: () => LoopTimes = () => performance.eventLoopUtilization()) {
    this.#readTimes = readTimes
    this.#sampled = readTimes()
  }

  /** Milliseconds from the arrival of the first operation. */
  milliseconds(): number {
    const times = this.#readTimes()
    const active = times.active - this.#sampled.active
    const total = active + times.idle - this.#sampled.idle
    if (total < sampleMinMs) return this.#milliseconds
    this.#sampled = times
    const excess = Math.max(0, active / total - busyShare) / (1 - busyShare)
    this.#milliseconds = Math.round(excess * windowMaxMs)
    return this.#milliseconds
  }
}
