import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { makeSwapRemoveList } from '../../lib/swap-remove-list.ts'
import { abortRequest, type RequestContext } from '../context.ts'

/** The calls that run now. Admission counts them, and a graceful stop aborts those that are left. */
export const liveCalls = appScoped(() => makeSwapRemoveList<RequestContext>())

const pollMs = 25
/** Time for aborted calls to report their error and to be settled. */
const settleMaxMs = 5_000

/**
 * Waits until every call has ended. Calls that still run at the deadline (monotonic milliseconds) are aborted: they are
 * charged for what was delivered and end with an error.
 */
export const drainCalls = async (app: App, deadline: number): Promise<void> => {
  const calls = liveCalls(app)
  await waitUntil(app, () => calls.size() === 0, deadline)
  for (const context of calls.toArray()) abortRequest(context, 'stopping')
  await waitUntil(app, () => calls.size() === 0, app.monotonic() + settleMaxMs)
}

const waitUntil = async (app: App, isDone: () => boolean, deadline: number) => {
  while (!isDone() && app.monotonic() < deadline)
    await new Promise(resolve => setTimeout(resolve, pollMs))
}
