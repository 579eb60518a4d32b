import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMicrosByProcess } from '../process/stats.ts'

export type WaitLimits = {
  /** A wait ends in an error when a process has worked this long for it: the same on an idle and on a busy machine. */
  cpuSeconds: number
  /** A process that waits for nothing uses no CPU, so that the clock ends the wait. */
  clockSeconds: number
}
const usualLimits: WaitLimits = { cpuSeconds: 60, clockSeconds: 600 }

/** The process that is awaited; absent: the busiest of this one and its children. */
type Awaited = { pid?: number | undefined }

/** Tells why a wait has lasted long enough, or nothing. Asked at any rate, it looks once a second. */
const startDeadline = (
  { pid }: Awaited = {},
  { cpuSeconds, clockSeconds }: WaitLimits = usualLimits,
) => {
  const cpuOf = () => cpuMicrosByProcess(pid ?? process.pid, pid === undefined)
  const begin = performance.now()
  let nextLook = begin + 1_000
  // Most waits end within the first second, and need no look at the processes.
  let cpuBefore: Map<number, number> | undefined
  return (): string | undefined => {
    const now = performance.now()
    if (now < nextLook) return undefined
    nextLook = now + 1_000
    cpuBefore ??= cpuOf()
    if (now - begin > clockSeconds * 1_000) return `${clockSeconds} s`
    const isOver = [...cpuOf()].some(
      ([each, micros]) => micros - (cpuBefore?.get(each) ?? 0) > cpuSeconds * 1_000_000,
    )
    return isOver ? `${cpuSeconds} s of CPU time` : undefined
  }
}

/** Polls until `look` returns a truthy value; the error names what was missing. */
export const until = async <T>(
  what: string,
  look: () => T | Promise<T>,
  awaited?: Awaited,
  limits?: WaitLimits,
): Promise<NonNullable<T>> => {
  const isOverdue = startDeadline(awaited, limits)
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
  limits?: WaitLimits,
): Promise<T> => {
  const isOverdue = startDeadline(awaited, limits)
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
