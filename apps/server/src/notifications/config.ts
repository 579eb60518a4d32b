import { Fault, issuesOf } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../core/app.ts'
import type { TargetRow } from '../db/queries/notification-targets.ts'
import { notifiers } from '../integrations/notifiers/index.ts'
import type { Notifier } from '../integrations/notifiers/notifier.ts'

export type ConfigFields = Record<string, string>

const byId = new Map(notifiers.map(each => [each.id, each]))

/** Throws `notification.config` for an unknown type. */
export const notifierOf = (type: string): Notifier => {
  const notifier = byId.get(type)
  if (!notifier) throw new Fault('notification.config', { hint: '`type`: it is unknown.' })
  return notifier
}

const sealedAt = (id: number) => `notification_targets.config_sealed:${id}`

export const sealConfig = (app: App, id: number, config: ConfigFields): string =>
  app.seal.seal('notification-target', sealedAt(id), JSON.stringify(config))

export const openConfig = (
  app: App,
  { id, config_sealed }: Pick<TargetRow, 'id' | 'config_sealed'>,
): ConfigFields => JSON.parse(app.seal.open('notification-target', sealedAt(id), config_sealed))

export const secretFields = ({ config }: Notifier): string[] =>
  Object.entries(config.shape)
    .filter(([, field]) => (field as z.ZodType).meta()?.secret === true)
    .map(([name]) => name)

/** Refuses unknown fields and fields out of bounds. Users get mail at the address of their account only. */
export const readConfig = (
  notifier: Notifier,
  fields: ConfigFields,
  isOfSite: boolean,
): ConfigFields => {
  const unknown = Object.keys(fields).find(name => !Object.hasOwn(notifier.config.shape, name))
  if (unknown !== undefined)
    throw new Fault('request.unknown_field', { hint: `\`config.${unknown.slice(0, 100)}\`.` })
  const read = notifier.config.safeParse(fields)
  if (!read.success) throw new Fault('notification.config', { hint: `${issuesOf(read.error)}.` })
  const config = read.data as ConfigFields
  if ('address' in config && isOfSite !== (config.address !== ''))
    throw new Fault('notification.config', {
      hint: isOfSite ? '`address`: is required.' : '`address`: it is that of the account.',
    })
  return config
}

/**
 * Keeps the fields that the change does not contain, and secrets that it leaves empty. A stored secret is sent only to the
 * address for which it was entered.
 */
export const mergeConfig = (
  notifier: Notifier,
  stored: ConfigFields,
  change: ConfigFields,
  isOfSite: boolean,
): ConfigFields => {
  const secrets = secretFields(notifier)
  const given = Object.fromEntries(
    Object.entries(change).filter(([name, value]) => value !== '' || !secrets.includes(name)),
  )
  const merged = readConfig(notifier, { ...stored, ...given }, isOfSite)
  const missing = secrets.filter(name => stored[name] && !(name in given))
  if (missing.length > 0 && notifier.destination(stored) !== notifier.destination(merged))
    throw new Fault('notification.secrets_needed', {
      hint: `Enter again: ${missing.map(name => `\`config.${name}\``).join(', ')}.`,
    })
  return merged
}
