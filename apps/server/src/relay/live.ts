import type { App } from '../core/app.ts'
import { perApp } from '../core/per-app.ts'
import { makeBag } from '../lib/bag.ts'
import { type Exchange, stop } from './exchange.ts'

/** The calls that run now: too many of them, and nothing new is admitted; a graceful stop ends what is left of them. */
export const liveCalls = perApp(() => makeBag<Exchange>())

const lookMs = 25
/** How long the last ones may take to tell their error and to be settled. */
const endingMs = 5_000

/**
 * Waits until every call is done; what still runs at the deadline (monotonic milliseconds) is told an error, charged
 * for what was delivered, and waited for.
 */
export const drain = async (app: App, deadline: number): Promise<void> => {
  const calls = liveCalls(app)
  await until(app, () => calls.size() === 0, deadline)
  for (const exchange of calls.all()) stop(exchange, 'stopping')
  await until(app, () => calls.size() === 0, app.monotonic() + endingMs)
}

const until = async (app: App, isDone: () => boolean, deadline: number) => {
  while (!isDone() && app.monotonic() < deadline)
    await new Promise(resolve => setTimeout(resolve, lookMs))
}
