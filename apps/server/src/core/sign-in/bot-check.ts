import type { App } from '../app.ts'

/** The check is on once both keys are set, so that the switch alone locks nobody out. */
export const isBotCheckEnabled = (app: App): boolean => {
  const { TurnstileCheckEnabled, TurnstileSiteKey, TurnstileSecretKey } = app.settings().turnstile
  return TurnstileCheckEnabled && TurnstileSiteKey !== '' && TurnstileSecretKey !== ''
}
