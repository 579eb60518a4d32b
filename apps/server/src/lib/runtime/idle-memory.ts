import { performance } from 'node:perf_hooks'
import { trimMalloc } from './malloc.ts'
import { shrinkHeap } from './shrink-heap.ts'

const intervalMs = 300_000
/** Half an hour. Giving memory back costs the compiled code of calls: after it 20 calls/s take 3.4 ms of CPU instead of 2.1. */
const restIntervals = 6
/** Share of the time in which the event loop worked: about 0.1 % at rest, 0.5 % with three calls a second. */
const idleShare = 0.005

/** Returns true once after each time of work: for the interval that ends a long rest. The start counts as work. */
export const makeRestDetector = () => {
  let idleIntervals = 0
  return (utilization: number): boolean => {
    idleIntervals = utilization < idleShare ? idleIntervals + 1 : 0
    return idleIntervals === restIntervals
  }
}

/**
 * Gives memory back to the system after a long rest. By itself V8 keeps the heap of the last load, 50 MB more than a
 * server at rest needs, until it has to allocate again. A pause between calls is no reason: the calls after it would be
 * slow. Without `--expose-gc` nothing is done. `releaseStore` does the same for the threads and caches of the database.
 */
export const releaseMemoryAfterRest = (
  releaseStore: () => Promise<void>,
  onError: (error: unknown) => void,
): void => {
  if (!globalThis.gc) return
  const release = async () => {
    shrinkHeap()
    await releaseStore()
    await trimMalloc()
  }
  const endsRest = makeRestDetector()
  let since = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    if (endsRest(performance.eventLoopUtilization(now, since).utilization)) release().catch(onError)
    since = performance.eventLoopUtilization()
  }, intervalMs).unref()
}
