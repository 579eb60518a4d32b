import {
  defaultSettings,
  isSecretSetting,
  type SettingKey,
  type Settings,
  settings,
} from '@hub/contract'
import type { z } from 'zod'

type Field = { section: keyof Settings; schema: z.ZodType }

/** The section and schema of each key. */
const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries(settings).flatMap(([section, { shape }]) =>
    Object.entries(shape).map(([key, schema]) => [
      key,
      { section: section as keyof Settings, schema: schema as z.ZodType },
    ]),
  ),
)

export const isSettingKey = (key: string): key is SettingKey => fields.has(key)

type Read = { ok: true; value: unknown } | { ok: false; why: string }

/** Parses and validates the text of a setting. As in One Hub, every value is text on the wire and in the database. */
export const readSetting = (key: SettingKey, text: string): Read => {
  const { section, schema } = fields.get(key)!
  const kind = typeof (defaultSettings()[section] as Record<string, unknown>)[key]
  const value = fromText(kind, text)
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, why: result.error.issues.map(issue => issue.message).join('; ') }
}

/** Returns invalid text unchanged, so that the schema reports it. */
const fromText = (kind: string, text: string): unknown => {
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (kind === 'number') return text.trim() === '' ? text : Number(text)
  return text
}

export const settingText = (value: unknown): string => String(value)

/**
 * Parses stored settings. Unknown keys are ignored; invalid values are reported and keep their default. Secret settings
 * are returned as stored, encrypted.
 */
export const readSettings = (
  rows: readonly { key: string; value: string }[],
  reportInvalid: (key: string, why: string) => void,
): Settings => {
  const settingsBySection = defaultSettings() as Record<string, Record<string, unknown>>
  for (const { key, value } of rows) {
    if (!isSettingKey(key)) continue
    // The value of a secret was validated before it was encrypted.
    const result = isSecretSetting(key) ? { ok: true as const, value } : readSetting(key, value)
    if (result.ok) settingsBySection[fields.get(key)!.section]![key] = result.value
    else reportInvalid(key, result.why)
  }
  return settingsBySection as unknown as Settings
}
