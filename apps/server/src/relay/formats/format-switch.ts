import type { Settings } from '@hub/contract'
import type { CallerFormat } from '@hub/dialects'
import type { App } from '../../core/app.ts'

/** The settings by which operators take the routes of a format out of service. */
const switches: Partial<Record<CallerFormat['id'], (settings: Settings) => boolean>> = {
  anthropic: ({ relay }) => relay.ClaudeAPIEnabled,
  gemini: ({ relay }) => relay.GeminiAPIEnabled,
}

export const isSwitchedOff = (app: App, { id }: CallerFormat): boolean =>
  switches[id]?.(app.settings()) === false
