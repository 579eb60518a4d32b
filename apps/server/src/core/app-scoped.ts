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
