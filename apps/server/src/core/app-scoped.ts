import { singleflight } from '../lib/singleflight.ts'
import type { ChangeTopic } from '../state/change-notifications.ts'
import type { App } from './app.ts'

/**
 * Makes state that belongs to an app but is private to one module: `const cache = appScoped(app => …)`, then
 * `cache(app)`. The value is made on first use.
 */
export const appScoped = <T>(make: (app: App) => T): ((app: App) => T) => {
  const made = new WeakMap<App, T>()
  // A process has one app and every call reads about twenty such values, so this skips the map look-up.
  let latest: { app: App; value: T } | undefined
  return app => {
    if (latest?.app === app) return latest.value
    const value = made.has(app) ? made.get(app)! : make(app)
    made.set(app, value)
    latest = { app, value }
    return value
  }
}

/** A query result held in memory. It is read once, and again whenever one of its topics changes. */
export type CachedQuery<T> = {
  /** Returns the cached value; a promise only until the first read is done. */
  get(): T | Promise<T>
}

/** A failed read keeps the last value until the next notification; the hold still refuses what it must. */
export const cachedQuery = <T>(
  topics: readonly ChangeTopic[],
  load: (app: App, before: T | undefined) => Promise<T>,
) =>
  appScoped((app): CachedQuery<T> => {
    let value: T | undefined
    const refresh = singleflight(async () => {
      value = await load(app, value)
      return value
    })
    for (const topic of topics) app.changes.on(topic, () => refresh().then(() => {}))
    return { get: () => value ?? refresh() }
  })
