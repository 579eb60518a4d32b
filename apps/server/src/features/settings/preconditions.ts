import { Fault, type SettingKey, settingsNeeded } from '@hub/contract'
import type { App } from '../../core/app.ts'

/** The settings that must not be empty before a switch is turned on, as in One Hub. */
const needed: Partial<Record<SettingKey, readonly SettingKey[]>> = {
  ...settingsNeeded,
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  EnableSafe: ['SafeKeyWords'],
  TaskStorageEnabled: [
    'TaskStorageEndpoint',
    'TaskStorageBucket',
    'TaskStorageAccessKey',
    'TaskStorageSecretKey',
  ],
  TelegramBotEnabled: ['TelegramBotToken'],
  UptimeEnabled: ['UptimeDomain', 'UptimePageName'],
}

/** Throws `setting.incomplete` for a switch that would have no effect yet. */
export const checkPreconditions = (app: App, key: SettingKey, value: unknown): void => {
  if (value !== true) return
  const values = Object.assign({}, ...Object.values(app.settings())) as Record<SettingKey, unknown>
  const missing = (needed[key] ?? []).filter(each => values[each] === '')
  if (missing.length > 0)
    throw new Fault('setting.incomplete', { hint: `Set \`${missing.join('`, `')}\` first.` })
}
