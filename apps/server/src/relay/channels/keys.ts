import type { App } from '../../core/app.ts'
import type { KeyState } from '../../db/queries/channel-keys.ts'
import type { RelayChannelRow } from '../../db/queries/relay-channels.ts'

/** Digits of a key's hash that administrators see. */
export const shownDigits = 12

/** One of a channel's keys. It stays the same object while it is unchanged, because its cooldown is found by it. */
export type ChannelKey = {
  /** Its place in the stored list, from 1. */
  index: number
  credential: string
  /** A keyed hash, which identifies the key without revealing any part of it. */
  fingerprint: string
  /** Unix seconds of the last change of its status; 0: none. */
  changedAt: number
}

/** `random`: each call draws a key. `round_robin`: each process takes the keys in turn. */
export type KeyRotation = 'random' | 'round_robin'

export type ChannelKeys = {
  /** The keys in use; at least one. */
  keys: readonly ChannelKey[]
  /** The keys in use and the disabled ones. */
  storedKeys: readonly ChannelKey[]
}

export const decodeKeys = (
  app: Pick<App, 'seal'>,
  row: Pick<RelayChannelRow, 'id' | 'key_sealed' | 'key_states'>,
): ChannelKeys => {
  const text = app.seal.open('channel-key', `channels.key_sealed:${row.id}`, row.key_sealed)
  const list = JSON.parse(text) as string[]
  const storedKeys = makeKeys(app, list.length > 0 ? list : [''])
  return withKeyStates({ storedKeys, keys: storedKeys }, row.key_states)
}

export const makeKeys = (app: Pick<App, 'seal'>, credentials: readonly string[]): ChannelKey[] =>
  credentials.map((credential, at) => ({
    index: at + 1,
    credential,
    fingerprint: app.seal.fingerprint('channel-key', credential),
    changedAt: 0,
  }))

/** Takes over the states of the keys. A key whose status changed becomes another object, so that it starts anew. */
export const withKeyStates = <C extends ChannelKeys>(
  channel: C,
  states: readonly KeyState[],
): C => {
  if (states.length === 0 && channel.keys === channel.storedKeys) return channel
  const byKey = new Map(states.map(each => [each.fingerprint, each]))
  const storedKeys = channel.storedKeys.map(each => {
    const changedAt = byKey.get(each.fingerprint)?.changedAt ?? 0
    return changedAt === each.changedAt ? each : { ...each, changedAt }
  })
  const enabled = storedKeys.filter(each => byKey.get(each.fingerprint)?.isEnabled !== false)
  // A channel without any enabled key is disabled itself, and tested with all of its keys.
  const keys = enabled.length > 0 ? enabled : storedKeys
  const isSame =
    keys.length === channel.keys.length && keys.every((each, at) => each === channel.keys[at])
  return isSame ? channel : { ...channel, storedKeys, keys }
}
