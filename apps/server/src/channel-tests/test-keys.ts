import { randomInt } from 'node:crypto'
import type { App } from '../core/app.ts'
import { listKeys } from '../db/queries/channel-keys.ts'
import { findChannel } from '../db/queries/relay-channels.ts'
import { decodeChannel } from '../relay/channels/channel.ts'
import type { ChannelKey } from '../relay/channels/keys.ts'
import { enableKey } from '../relay/channels/status.ts'
import { callModel, chooseModel } from './test-channel.ts'

/** Keys of one channel that are tested in one run. */
const keysMax = 10

export type KeyRun = {
  /** Keys that were enabled again. */
  enabled: number
  /** The channel has several keys, and every one of them is disabled. */
  isWithoutKeys: boolean
}

/**
 * Tests each key that the gateway itself disabled in a channel with several, and enables it where the vendor takes it again.
 * A key that a person disabled is left alone. Of very many keys each run takes others, by chance.
 */
export const testDisabledKeys = async (app: App, id: number): Promise<KeyRun> => {
  const row = await findChannel(app.db, id)
  const channel = row && row.key_count > 1 ? decodeChannel(app, row) : undefined
  const model = channel && chooseModel(channel)
  if (!channel || !model) return { enabled: 0, isWithoutKeys: false }
  const states = new Map((await listKeys(app.db, id)).map(each => [each.key_hash, each.status]))
  const statusOf = ({ fingerprint }: ChannelKey) => states.get(fingerprint) ?? 1
  const disabled = channel.storedKeys.filter(each => statusOf(each) === 3)
  let enabled = 0
  for (const key of someOf(disabled)) {
    if (app.stopping()) break
    const { kind, failure } = await callModel(app, channel, key, model)
    if (failure || kind === 'none') continue
    const evidence = { cause: 'test' as const, reason: kind, model }
    if (await enableKey(app, channel, key, evidence)) enabled += 1
  }
  const hadNone = channel.storedKeys.every(each => statusOf(each) !== 1)
  return { enabled, isWithoutKeys: hadNone && enabled === 0 }
}

const someOf = (keys: readonly ChannelKey[]): readonly ChannelKey[] => {
  if (keys.length <= keysMax) return keys
  const first = randomInt(keys.length)
  return [...keys.slice(first), ...keys.slice(0, first)].slice(0, keysMax)
}
