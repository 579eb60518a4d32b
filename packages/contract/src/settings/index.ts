import type { z } from 'zod'
import { analytics } from './analytics.ts'
import { oauth } from './oauth.ts'
import { backups, channels, logs, money, priceUpdates } from './operation.ts'
import { payment } from './payment.ts'
import { administrators, mail, passkeys, registration, signInLimits, turnstile } from './people.ts'
import {
  claude,
  links,
  midjourney,
  relay,
  responseCache,
  responses,
  retry,
  safety,
  taskStorage,
  tasks,
} from './relay.ts'
import { site } from './site.ts'
import { telegram } from './telegram.ts'
import { uptime } from './uptime.ts'

export { type AnalyticsScript, analyticsOrigins, readAnalytics } from './analytics.ts'
export {
  type DerivedSettingKey,
  derivedSettings,
  ExtraRatios,
  GroupRatios,
} from './derived.ts'

/**
 * One line per setting: One Hub's option key, type and default. The console renders the form from this table, and a test
 * changes each setting and checks the effect. On the wire every value is text, as in One Hub.
 */
export const settings = {
  site,
  analytics,
  uptime,
  registration,
  signInLimits,
  passkeys,
  turnstile,
  oauth,
  claude,
  mail,
  retry,
  relay,
  responseCache,
  responses,
  tasks,
  taskStorage,
  midjourney,
  links,
  safety,
  money,
  priceUpdates,
  payment,
  administrators,
  channels,
  logs,
  backups,
  telegram,
}

export type Settings = { [S in keyof typeof settings]: z.output<(typeof settings)[S]> }
export type SettingKey = { [S in keyof Settings]: keyof Settings[S] & string }[keyof Settings]

/** A secret setting is encrypted at rest, never sent, and a fingerprint in the audit log. */
export const isSecretSetting = (key: string): boolean =>
  Object.values(settings).some(({ shape }) => {
    const schema = (shape as Record<string, z.ZodType | undefined>)[key]
    return Object.hasOwn(shape, key) && schema?.meta()?.secret === true
  })

export const defaultSettings = (): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => [name, schema.parse({})]),
  ) as Settings
