import { isSecretSetting, type SettingKey, settings } from '@hub/contract'
import { z } from 'zod'

export type SettingValues = Record<string, string | number | boolean>
export type Change = { key: SettingKey; before: string; after: string }

const shapes = Object.values(settings).map(
  section => section.shape as unknown as Record<string, z.ZodType>,
)

/** All sections as one form: keys are unique across them. */
export const AllSettings = z.object(Object.assign({}, ...shapes) as Record<string, z.ZodType>)

export const sectionKeys = Object.entries(settings).map(([id, section]) => ({
  id,
  keys: Object.keys(section.shape) as SettingKey[],
}))

/** Stands for a secret that is stored and stays as it is: nobody can read it back. */
export const keptSecret = '••••••••'

type Stored = { key: string; value: string; is_set?: boolean | undefined }

/** On the wire every value is text; what a setting is, its default says. */
export const readSettings = (stored: readonly Stored[]): SettingValues => {
  const texts = new Map(stored.map(each => [each.key, each.is_set ? keptSecret : each.value]))
  const defaults = AllSettings.parse({}) as SettingValues
  return Object.fromEntries(
    Object.entries(defaults).map(([key, initial]) => {
      const text = texts.get(key)
      return [key, text === undefined ? initial : fromText(text, initial)]
    }),
  )
}

const fromText = (text: string, like: string | number | boolean) => {
  if (typeof like === 'boolean') return text === 'true'
  return typeof like === 'number' ? Number(text) : text
}

/** What may be shown of a value in a list of changes. */
export const shownOf = (key: SettingKey, text: string): string =>
  isSecretSetting(key) && text !== '' ? keptSecret : text

export const changesOf = (before: SettingValues, after: SettingValues): Change[] =>
  sectionKeys
    .flatMap(({ keys }) => keys)
    .map(key => ({ key, before: String(before[key] ?? ''), after: String(after[key] ?? '') }))
    .filter(change => change.before !== change.after)
