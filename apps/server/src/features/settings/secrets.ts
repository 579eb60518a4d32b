import type { SettingKey } from '@hub/contract'
import type { App } from '../../core/app.ts'

const sealedAt = (key: string) => `options.value:${key}`

/** Encrypts a secret setting and binds it to its key. An empty text stays empty. */
export const sealSecret = (app: App, key: string, text: string): string =>
  text === '' ? '' : app.seal.seal('setting', sealedAt(key), text)

/** Decrypts a secret setting for immediate use. */
export const openSecret = (app: App, key: SettingKey): string => {
  const sealed = Object.values(app.settings())
    .map(section => (section as Record<string, unknown>)[key])
    .find(value => value !== undefined)
  return sealed ? app.seal.open('setting', sealedAt(key), String(sealed)) : ''
}
