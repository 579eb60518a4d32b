import type { Settings } from '@hub/contract'
import type { CallerFormat } from '@hub/dialects'
import type { App } from '../../core/app.ts'

/** The settings by which operators take the routes of a format out of service. */
const switches: Partial<Record<CallerFormat['id'], (settings: Settings) => boolean>> = {
  anthropic: ({ relay }) => relay.ClaudeAPIEnabled,
  gemini: ({ relay }) => relay.GeminiAPIEnabled,
}

/** Tells whether the routes of a format are out of service; undefined for a format that always serves. */
export const switchOf = ({ id }: CallerFormat): ((app: App) => boolean) | undefined => {
  const isOn = switches[id]
  return isOn && (app => !isOn(app.settings()))
}
