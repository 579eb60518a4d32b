import type { App } from './app.ts'

/**
 * State that belongs to an app but is known to one room only: `const roster = perApp(app => …)`, then `roster(app)`.
 * Made on first use.
 */
export const perApp = <T>(make: (app: App) => T): ((app: App) => T) => {
  const made = new WeakMap<App, T>()
  // A process has one app, and every call asks for the state of twenty rooms: the last answer is the next one too.
  let latest: { app: App; value: T } | undefined
  return app => {
    if (latest?.app === app) return latest.value
    const value = made.has(app) ? made.get(app)! : make(app)
    made.set(app, value)
    latest = { app, value }
    return value
  }
}
