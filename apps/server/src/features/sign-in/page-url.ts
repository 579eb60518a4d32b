import type { App } from '../../core/app.ts'

/** A page of the console for e-mails. The address is the site's, whatever Host the request named. */
export const pageUrl = (app: App, path: string): string =>
  new URL(path, app.settings().site.ServerAddress).href
