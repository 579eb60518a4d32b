import type { App } from './app.ts'

/**
 * State that belongs to an app but is known to one room only: `const roster = perApp(app => …)`, then `roster(app)`.
 * Made on first use.
 */
export const perApp = <T>(make: (app: App) => T): ((app: App) => T) => {
  const made = new WeakMap<App, T>()
  return app => {
    const known = made.get(app)
    if (known !== undefined) return known
    const value = make(app)
    made.set(app, value)
    return value
  }
}
