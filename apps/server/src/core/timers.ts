import { makeTimers } from '../lib/time/timers.ts'
import { appScoped } from './app-scoped.ts'

/** All time limits of the relay, on one timer wheel. */
export const timers = appScoped(app => makeTimers({ now: () => app.monotonic() }))
