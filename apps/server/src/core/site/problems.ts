import {
  addressStateOf,
  isSwitchedOn,
  missingSettings,
  type SettingKey,
  type SwitchKey,
  switchNeeds,
} from '@hub/contract'
import type { Database } from '../../db/index.ts'
import { listAddressUsers } from '../../db/queries/address-users.ts'
import type { App } from '../app.ts'
import { storedValue } from '../secrets/setting-secrets.ts'

type SettingsApp = Pick<App, 'settings'>

/** Switches that are on and lack a setting. */
export const incompleteSwitches = (app: SettingsApp): { key: SwitchKey; missing: SettingKey[] }[] =>
  (Object.keys(switchNeeds) as SwitchKey[])
    .filter(key => isSwitchedOn(storedValue(app, key)))
    .map(key => ({ key, missing: missingSettings(key, each => storedValue(app, each)) }))
    .filter(({ missing }) => missing.length > 0)

export type AddressProblem = {
  state: 'unset' | 'loopback'
  /** Keys of switches, `payment_gateways` and `oauth_providers`. */
  usedBy: string[]
}

/**
 * Lists the users of an address that is unset, or leads to one machine without a local trial. Undefined: it has none.
 */
export const findAddressProblem = async (
  app: SettingsApp & { db: Database },
): Promise<AddressProblem | undefined> => {
  const { ServerAddress, LocalTrialEnabled } = app.settings().site
  const state = addressStateOf(ServerAddress)
  if (state === 'public' || (state === 'loopback' && LocalTrialEnabled)) return undefined
  const switches = (Object.keys(switchNeeds) as SwitchKey[]).filter(
    key => switchNeeds[key].address && isSwitchedOn(storedValue(app, key)),
  )
  const usedBy = [...switches, ...(await listAddressUsers(app.db))]
  return usedBy.length > 0 ? { state, usedBy } : undefined
}
