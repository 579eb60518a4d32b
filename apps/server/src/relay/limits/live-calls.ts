import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { makeSwapRemoveList } from '../../lib/swap-remove-list.ts'
import { abortRequest, type RequestContext } from '../context.ts'

/** The calls that run now. Admission counts them, and a graceful stop aborts those that are left. */
export const liveCalls = appScoped(() => makeSwapRemoveList<RequestContext>(each => each.abort))

const pollMs = 25

/** Waits until every call has ended, or until the deadline (monotonic milliseconds). */
export const waitForCalls = (app: App, deadline: number): Promise<void> =>
  waitUntil(app, () => liveCalls(app).size() === 0, deadline)

export const abortCalls = (app: App): void => {
  for (const context of liveCalls(app).toArray()) abortRequest(context, 'stopping')
}

export const waitUntil = async (app: App, isDone: () => boolean, deadline: number) => {
  while (!isDone() && app.monotonic() < deadline)
    await new Promise(resolve => setTimeout(resolve, pollMs))
}
