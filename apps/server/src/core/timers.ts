import { makeTimers } from '../lib/time/timers.ts'
import type { App } from './app.ts'
import { appScoped } from './app-scoped.ts'

/** All time limits of the relay, on one timer wheel. */
export const timers = appScoped(app => makeTimers({ now: () => app.monotonic() }))

/** A charge waits no longer for a database that does not answer. */
const databaseMs = 500

/**
 * Waits for an answer of the database that a charge can do without: undefined where it comes too late. A failure that
 * comes in time is thrown.
 */
export const answerInTime = async <T>(app: App, answer: Promise<T>): Promise<T | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = timers(app).start(databaseMs, () => resolve(undefined))
  // A failure after that is nobody's.
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    timers(app).stop(timer)
  }
}
