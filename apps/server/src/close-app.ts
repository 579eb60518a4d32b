import type { FastifyInstance } from 'fastify'
import type { App } from './core/app.ts'
import { storeCloseMaxMs } from './db/open.ts'
import { endsWithin } from './lib/time/ends-within.ts'
import type { OpenApp } from './open-app.ts'
import { flushErrorLog, flushReasoningSamples } from './relay/index.ts'
import { abortCalls, waitForCalls } from './relay/limits/live-calls.ts'
import { retireSessions, terminateSessions, waitForSessions } from './sockets/sessions.ts'
import { stateCloseMaxMs } from './state/index.ts'

export type ClosingParts = Pick<OpenApp, 'app' | 'running' | 'closeStores'> & {
  fastify: FastifyInstance
  /** Ends the jobs and the Telegram bot. */
  stopBackground(): Promise<void>
  /** Submits unsettled charges a last time. */
  stopBilling(): Promise<void>
  waitForBalancers: (() => Promise<unknown>) | undefined
}

/** Time for aborted calls to report their error and to be settled. */
const settleMaxMs = 4_000
/** Time for the callers of WebSockets to answer the end. */
const socketsMaxMs = 500
/** Grace period for responses that are still being sent when all calls are settled. */
const lastResponsesMs = 1_000
/** Time for connections to close that were destroyed. */
const destroyedMs = 200
/** Time for everything that needs the stores, all at once. */
const servicesMs = 1_500

/** The most that the steps of a stop take after the deadline of running calls, whatever other programs do. */
export const closeMaxMs =
  settleMaxMs +
  socketsMaxMs +
  lastResponsesMs +
  destroyedMs +
  servicesMs +
  stateCloseMaxMs +
  storeCloseMaxMs

/** The process ends by itself this long after the deadline, even if a disk or a thread does not answer. */
export const stopMarginSeconds = 12

/**
 * Serves new calls until the balancers have noticed, lets running calls and jobs end until the deadline, and closes
 * everything. What another program keeps from ending is left behind, as in a crash: the ends of all calls are in the
 * database or in the journal by then.
 */
export const closeApp = async (parts: ClosingParts, deadlineSeconds: number): Promise<void> => {
  const { app, running, fastify } = parts
  running.isStopping = true
  const background = parts.stopBackground()
  await parts.waitForBalancers?.()
  running.isAccepting = false
  const deadline = app.monotonic() + deadlineSeconds * 1000
  await closeServer(app, fastify, deadline)
  const backgroundMs = Math.max(servicesMs, deadline - app.monotonic())
  await Promise.all([
    bounded(app, 'jobs', background, backgroundMs),
    bounded(app, 'error log', flushErrorLog(app), servicesMs),
    bounded(app, 'samples', flushReasoningSamples(app), servicesMs),
    bounded(app, 'billing', parts.stopBilling(), servicesMs),
    bounded(app, 'telemetry', app.telemetry?.stop(), servicesMs),
  ])
  await parts.closeStores()
}

/** Accepts no new connection. Calls still running at the deadline are ended with an error and settled. */
const closeServer = async (app: App, fastify: FastifyInstance, deadline: number) => {
  const closed = fastify.close()
  await drainCalls(app, deadline)
  const rest = setTimeout(() => fastify.server.closeAllConnections(), lastResponsesMs)
  await bounded(app, 'connections', closed, lastResponsesMs + destroyedMs)
  clearTimeout(rest)
}

/**
 * Waits until every call has ended, and closes every WebSocket. Calls that still run at the deadline (monotonic
 * milliseconds) are aborted: they are charged for what was delivered and end with an error.
 */
export const drainCalls = async (app: App, deadline: number): Promise<void> => {
  retireSessions(app)
  await waitForCalls(app, deadline)
  abortCalls(app)
  await waitForCalls(app, app.monotonic() + settleMaxMs)
  await waitForSessions(app, app.monotonic() + socketsMaxMs)
  terminateSessions(app)
}

/** One part that does not end, or fails, must not keep the others from closing. */
const bounded = async (
  { log }: App,
  part: string,
  work: Promise<unknown> | undefined,
  milliseconds: number,
) => {
  if (!work) return
  try {
    if (!(await endsWithin(work, milliseconds)))
      log.warn({ part, milliseconds }, 'a part did not stop in time and is left behind')
  } catch (error) {
    log.error({ err: error, part }, 'a part failed to stop')
  }
}
