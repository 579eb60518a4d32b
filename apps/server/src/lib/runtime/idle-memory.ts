import { performance } from 'node:perf_hooks'

const intervalMs = 30_000
/** Share of the time in which the event loop worked. An idle server works about 0.5 %, one with 20 calls/s about 4 %. */
const idleShare = 0.02

/** Answers, for each interval, whether it is the first idle one after work. The start counts as work. */
export const makeIdleDetector = () => {
  let hasWorked = true
  return (utilization: number): boolean => {
    const isFirst = hasWorked && utilization < idleShare
    hasWorked = utilization >= idleShare
    return isFirst
  }
}

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8 collects all garbage and shrinks its heap, which stops the process for about 100 ms. */
const collectAll = (collect: Collect) =>
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Gives memory back to the system when the server becomes idle. By itself V8 keeps the heap of the last load, 50 MB
 * more than a server at rest needs, until it has to allocate again. Without `--expose-gc` nothing is done.
 */
export const releaseMemoryWhenIdle = (): void => {
  const collect = globalThis.gc as unknown as Collect | undefined
  if (!collect) return
  const isFirstIdle = makeIdleDetector()
  let since = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    if (isFirstIdle(performance.eventLoopUtilization(now, since).utilization)) collectAll(collect)
    since = performance.eventLoopUtilization()
  }, intervalMs).unref()
}
