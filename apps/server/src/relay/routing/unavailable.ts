import { unavailableReasonOf } from '@hub/providers'
import type { RelayChannelRow } from '../../db/queries/relay-channels.ts'
import { listOf } from '../channels/channel.ts'

type UnavailableChannel = { groups: readonly string[]; models: readonly string[]; reason: string }

/** Enabled channels of types that cannot be called, by id. Callers of their models learn why. */
export type UnavailableChannels = Map<number, UnavailableChannel>

export const noteUnavailable = (
  channels: UnavailableChannels,
  { id, type, group, models }: RelayChannelRow,
): void => {
  const reason = unavailableReasonOf(type)
  if (reason !== undefined)
    channels.set(id, { groups: listOf(group), models: listOf(models), reason })
}

/** Says why no channel of the group serves the model. Undefined: none of them lists it. */
export const findReason = (
  channels: ReadonlyMap<number, UnavailableChannel>,
  group: string,
  model: string,
): string | undefined => {
  for (const each of channels.values())
    if (each.groups.includes(group) && each.models.includes(model)) return each.reason
  return undefined
}
