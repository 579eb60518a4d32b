import { Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { definedOnly } from '../../core/crud.ts'
import type { ChannelRow } from '../../db/queries/channels.ts'
import { openSecret } from '../../relay/channels/secrets.ts'

/** The fields that decide where the secrets of a channel are sent, and in which form. */
export type Destination = { type: number; base_url: string; proxy: string; other: string }
type Change = { [K in Exclude<keyof Destination, 'proxy'>]?: Destination[K] | undefined } & {
  /** Null: none. */
  proxy?: string | null | undefined
}

export const destinationOf = (app: App, row: ChannelRow): Destination => ({
  type: row.type,
  base_url: row.base_url,
  other: row.other,
  proxy: openSecret(app, row, 'proxy'),
})

const sentSecrets = ['model_headers', 'custom_parameter'] as const

/** The stored secrets, apart from the key, that the host of the channel receives and the change does not contain. */
export const missingSecrets = (
  row: ChannelRow,
  change: { [K in (typeof sentSecrets)[number]]?: string | null | undefined },
): string[] => sentSecrets.filter(each => row[each] !== '' && change[each] === undefined)

/**
 * Throws `channel.secrets_needed` when the change would send a stored secret to another destination than the one it was
 * entered for. `missing` names the stored secrets that the request does not contain.
 */
export const checkDestination = (
  before: Destination,
  change: Change,
  missing: readonly string[],
): void => {
  const changed = changedFields(before, change)
  if (changed.length === 0 || missing.length === 0) return
  const clauses = missing.map(each => `\`${each}\`: enter it again to change ${changed.join(', ')}`)
  throw new Fault('channel.secrets_needed', { hint: `${clauses.join('; ')}.` })
}

const changedFields = (before: Destination, change: Change): string[] => {
  const type = change.type ?? before.type
  const reads: Record<keyof Destination, (fields: Destination) => unknown> = {
    type: fields => fields.type,
    base_url: fields => (fields.base_url || providerOf(type)?.baseUrl)?.replace(/\/+$/, ''),
    proxy: fields => fields.proxy,
    other: fields => regionOf(type, fields.other),
  }
  const after = { ...before, ...definedOnly({ ...change, proxy: cleared(change.proxy) }) }
  return Object.entries(reads)
    .filter(([, read]) => read(before) !== read(after))
    .map(([name]) => name)
}

const cleared = (proxy: string | null | undefined) => (proxy === null ? '' : proxy)

/** The part of the free field that is in the address. Most providers have none there. */
const regionOf = (type: number, other: string): string =>
  JSON.stringify(providerOf(type)?.placeholders?.({ credential: '', other }) ?? {})
