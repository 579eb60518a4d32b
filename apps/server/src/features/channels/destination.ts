import { Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import { definedOnly } from '../../core/crud.ts'

/** The fields that decide where the secrets of a channel are sent, and in which form. */
export type Destination = { type: number; base_url: string; proxy: string; other: string }
type Change = { [K in keyof Destination]?: Destination[K] | undefined }

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
  const after = { ...before, ...definedOnly(change) }
  return Object.entries(reads)
    .filter(([, read]) => read(before) !== read(after))
    .map(([name]) => name)
}

/** The part of the free field that is in the address. Most providers have none there. */
const regionOf = (type: number, other: string): string =>
  JSON.stringify(providerOf(type)?.placeholders?.({ credential: '', other }) ?? {})
