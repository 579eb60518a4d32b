import { singleflight } from '../lib/singleflight.ts'
import type { ChangeTopic } from '../state/change-notifications.ts'
import type { App } from './app.ts'
import { appScoped } from './app-scoped.ts'

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
