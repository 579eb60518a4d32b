import { Fault, isSwitch, isSwitchedOn, type SettingKey, switchNeeds } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { missingOf, storedValue } from '../../core/secrets/setting-secrets.ts'
import { requireReachableSite } from '../../core/site/address.ts'

/**
 * Refuses to turn on a switch that would have no effect yet. One that is on already may be saved again. Throws
 * `setting.incomplete` or `setting.address_needed`.
 */
export const checkPreconditions = (app: App, key: SettingKey, value: unknown): void => {
  if (!isSwitch(key) || !isSwitchedOn(value)) return
  const missing = missingOf(app, key)
  if (missing.length > 0)
    throw new Fault('setting.incomplete', { hint: `Set \`${missing.join('`, `')}\` first.` })
  if (switchNeeds[key].address && !isSwitchedOn(storedValue(app, key))) requireReachableSite(app)
}
