import type { App } from '../core/app.ts'
import { abortCalls, waitForCalls } from './limits/live-calls.ts'
import { retireSessions, terminateSessions, waitForSessions } from './sockets/sessions.ts'

/** Time for aborted calls to report their error and to be settled. */
const settleMaxMs = 4_000
/** Time for the callers of WebSockets to answer the end. */
const closeMaxMs = 500

/** The most that `drainCalls` takes after the deadline. */
export const drainMaxMs = settleMaxMs + closeMaxMs

/**
 * Waits until every call has ended, and closes every WebSocket. Calls that still run at the deadline (monotonic
 * milliseconds) are aborted: they are charged for what was delivered and end with an error.
 */
export const drainCalls = async (app: App, deadline: number): Promise<void> => {
  retireSessions(app)
  await waitForCalls(app, deadline)
  abortCalls(app)
  await waitForCalls(app, app.monotonic() + settleMaxMs)
  await waitForSessions(app, app.monotonic() + closeMaxMs)
  terminateSessions(app)
}
