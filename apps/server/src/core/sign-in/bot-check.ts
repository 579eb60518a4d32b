import type { App } from '../app.ts'
import { isInEffect } from '../secrets/setting-secrets.ts'

export const isBotCheckEnabled = (app: App): boolean => isInEffect(app, 'TurnstileCheckEnabled')

/** The check is switched on but lacks a key, so that it can let nobody through. */
export const isBotCheckIncomplete = (app: App): boolean =>
  app.settings().turnstile.TurnstileCheckEnabled && !isBotCheckEnabled(app)
