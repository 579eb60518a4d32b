import {
  type DerivedSettingKey,
  derivedSettings,
  isSecretSetting,
  type SettingKey,
  settings,
} from '@hub/contract'
import { z } from 'zod'

export type SettingValues = Record<string, string | number | boolean>
/** A setting, or a text that stands for groups and prices. */
export type FieldKey = SettingKey | DerivedSettingKey
export type SettingChange = { key: FieldKey; before: string; after: string }

const sections = { ...settings, ...derivedSettings }

const sectionShapes = Object.values(sections).map(
  section => section.shape as unknown as Record<string, z.ZodType>,
)

/** The schema of all sections; setting keys are unique across sections. */
export const AllSettings = z.object(
  Object.assign({}, ...sectionShapes) as Record<string, z.ZodType>,
)

const defaults = AllSettings.parse({}) as SettingValues

export const sectionKeys = Object.entries(sections).map(([id, section]) => ({
  id: id as keyof typeof sections,
  keys: Object.keys(section.shape) as FieldKey[],
}))

/** The form value of a stored secret that is not changed; secrets are never returned by the API. */
export const secretMask = '••••••••'

type StoredSetting = { key: string; value: string; is_set?: boolean | undefined }

/** Converts stored texts to values; the type of a setting is the type of its default. */
export const readSettings = (stored: readonly StoredSetting[]): SettingValues => {
  const texts = new Map(stored.map(each => [each.key, each.is_set ? secretMask : each.value]))
  return Object.fromEntries(
    Object.entries(defaults).map(([key, initial]) => {
      const text = texts.get(key)
      return [key, text === undefined ? initial : fromText(text, initial)]
    }),
  )
}

const fromText = (text: string, initial: string | number | boolean) => {
  if (typeof initial === 'boolean') return text === 'true'
  return typeof initial === 'number' ? Number(text) : text
}

/** The value as text for the list of changes, with secrets masked. */
export const displayTextOf = (key: FieldKey, text: string): string =>
  isSecretSetting(key) && text !== '' ? secretMask : text

/** Switches that are turned on come last, because the server wants their other settings first. */
export const changesOf = (before: SettingValues, after: SettingValues): SettingChange[] =>
  sectionKeys
    .flatMap(({ keys }) => keys)
    .map(key => ({ key, before: String(before[key] ?? ''), after: String(after[key] ?? '') }))
    .filter(change => change.before !== change.after)
    .sort((a, b) => Number(isTurnedOn(a)) - Number(isTurnedOn(b)))

/** `LocalTrialEnabled` is what other switches need, so that it is saved with the values. */
const isTurnedOn = ({ key, after }: SettingChange): boolean =>
  key !== 'LocalTrialEnabled' && (after === 'true' || after === 'webhook')

/** A secret differs from its default as soon as one is stored. Groups and prices have none. */
export const isDefault = (key: FieldKey, values: SettingValues): boolean =>
  Object.hasOwn(derivedSettings.ratios.shape, key) ||
  String(values[key] ?? '') === String(defaults[key] ?? '')

export const defaultTextOf = (key: FieldKey): string => String(defaults[key] ?? '')
