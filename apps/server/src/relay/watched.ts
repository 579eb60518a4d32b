import type { App } from '../core/app.ts'
import { perApp } from '../core/per-app.ts'
import { coalesce } from '../lib/coalesce.ts'
import type { Topic } from '../state/topics.ts'

/** What the path needs from the database, kept in memory: read once, and again when one of its topics changes. */
export type Watched<T> = {
  /** The value as it is known now; a promise only before the first read is done. */
  get(): T | Promise<T>
}

/** A failed read leaves the last value, and the topic tells again: what must be refused is refused by the hold. */
export const watched = <T>(
  topics: readonly Topic[],
  load: (app: App, before: T | undefined) => Promise<T>,
) =>
  perApp((app): Watched<T> => {
    let value: T | undefined
    const refresh = coalesce(async () => {
      value = await load(app, value)
      return value
    })
    for (const topic of topics) app.topics.on(topic, () => refresh().then(() => {}))
    return { get: () => value ?? refresh() }
  })
