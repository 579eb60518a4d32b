import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waiting measures nothing: a promise about time measures itself, and a loaded machine may need longer to keep any other. */
const longer = process.env.CI ? 6 : 1

/** Polls until `look` returns a truthy value; the error names what was missing. */
export const until = async <T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 10_000,
): Promise<NonNullable<T>> => {
  const limit = withinMs * longer
  const end = performance.now() + limit
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    if (performance.now() > end) throw new Error(`after ${limit} ms still not: ${what}`)
    await sleep(10)
  }
}
