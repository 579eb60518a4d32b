import {
  isSecretSetting,
  isSwitchedOn,
  missingSettings,
  type SettingKey,
  type SwitchKey,
} from '@hub/contract'
import type { App } from '../app.ts'

const sealedAt = (key: string) => `options.value:${key}`

/** Encrypts a secret setting and binds it to its key. An empty text stays empty. */
export const sealSecret = (app: App, key: string, text: string): string =>
  text === '' ? '' : app.seal.seal('setting', sealedAt(key), text)

/** Decrypts a secret setting for immediate use. */
export const openSecret = (app: Pick<App, 'seal' | 'settings'>, key: SettingKey): string => {
  const sealed = storedValue(app, key)
  return sealed ? app.seal.open('setting', sealedAt(key), String(sealed)) : ''
}

/** The value of any setting as text; secrets are decrypted. */
export const settingText = (app: App, key: SettingKey): string =>
  isSecretSetting(key) ? openSecret(app, key) : String(storedValue(app, key))

/** True if the switch is on and every setting that it needs is set. */
export const isInEffect = (app: SettingsApp, key: SwitchKey): boolean =>
  isSwitchedOn(storedValue(app, key)) && missingOf(app, key).length === 0

/** The settings that the switch lacks, whether it is on or not. */
export const missingOf = (app: SettingsApp, key: SwitchKey): SettingKey[] =>
  missingSettings(key, each => storedValue(app, each))

type SettingsApp = Pick<App, 'settings'>

/** Secrets are encrypted. */
export const storedValue = (app: SettingsApp, key: SettingKey): unknown =>
  Object.values(app.settings())
    .map(section => (section as Record<string, unknown>)[key])
    .find(value => value !== undefined)
