import { perApp } from '../core/per-app.ts'
import { makeTimers } from '../lib/timers.ts'

/** All time limits of the relay, on one wheel. */
export const timers = perApp(app => makeTimers({ now: app.monotonic }))
