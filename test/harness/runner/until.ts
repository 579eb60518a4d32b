import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMicrosByProcess } from '../process/stats.ts'

/** A wait ends in an error when a process has worked this long for it: the same on an idle and on a busy machine. */
const cpuSecondsMax = 60
/** A process that waits for nothing uses no CPU, so that the clock ends the wait. */
const clockMinutesMax = 10

/** The process that is awaited; absent: this one and its children, of which the busiest counts. */
type Awaited = { pid: number }

/** Tells why a wait has lasted long enough, or nothing. Asked at any rate, it looks once a second. */
const startDeadline = (awaited?: Awaited) => {
  const cpuOf = () => cpuMicrosByProcess(awaited?.pid ?? process.pid, awaited === undefined)
  const begin = performance.now()
  let nextLook = begin + 1_000
  // Most waits end within the first second, and need no look at the processes.
  let cpuBefore: Map<number, number> | undefined
  return (): string | undefined => {
    const now = performance.now()
    if (now < nextLook) return undefined
    nextLook = now + 1_000
    cpuBefore ??= cpuOf()
    if (now - begin > clockMinutesMax * 60_000) return `${clockMinutesMax} minutes`
    const isOver = [...cpuOf()].some(
      ([pid, micros]) => micros - (cpuBefore?.get(pid) ?? 0) > cpuSecondsMax * 1_000_000,
    )
    return isOver ? `${cpuSecondsMax} s of CPU time` : undefined
  }
}

/** Polls until `look` returns a truthy value; the error names what was missing. */
export const until = async <T>(
  what: string,
  look: () => T | Promise<T>,
  awaited?: Awaited,
): Promise<NonNullable<T>> => {
  const isOverdue = startDeadline(awaited)
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    const why = isOverdue()
    if (why) throw new Error(`after ${why} still not: ${what}`)
    await sleep(10)
  }
}

/** Waits for an event with the deadline of `until`: an exit, a line of output, a response. */
export const untilResolved = async <T>(
  what: string,
  event: Promise<T>,
  awaited?: Awaited,
): Promise<T> => {
  const isOverdue = startDeadline(awaited)
  let isSettled = false
  const settled = event.finally(() => {
    isSettled = true
  })
  const overdue = async (): Promise<never> => {
    for (;;) {
      await sleep(250, undefined, { ref: false })
      const why = isSettled ? undefined : isOverdue()
      if (why) throw new Error(`after ${why} still not: ${what}`)
      if (isSettled) return new Promise(() => undefined)
    }
  }
  return Promise.race([settled, overdue()])
}
