import { Fault } from '@hub/contract'
import type { ResourceKind } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { StoredResource } from '../../db/queries/stored-resources.ts'
import type { Channel } from '../channels/channel.ts'
import { channelIndex } from '../routing/channel-index.ts'
import type { StorageAccount } from '../upstream/accounts/account-request.ts'
import { storingKeyOf } from './owner.ts'

export const accountAt = (
  channel: Channel,
  credential: string,
  kind: ResourceKind,
): StorageAccount => ({
  channel,
  credential,
  path: channel.provider.stores!.paths[kind]!,
})

type StoringRow = Pick<StoredResource, 'channel_id' | 'credential' | 'kind'>

/** Finds the account that stores an object. Throws `stored.unavailable` where its channel or key is gone. */
export const accountOf = async (
  app: App,
  { channel_id, credential: fingerprint, kind }: StoringRow,
): Promise<StorageAccount> => {
  const channel = (await channelIndex(app).get()).byId.get(channel_id)
  const key = channel && storingKeyOf(channel, fingerprint)
  const hasPath = channel?.provider.stores?.paths[kind as ResourceKind] !== undefined
  if (!channel || !key || !hasPath) throw new Fault('stored.unavailable')
  return accountAt(channel, key.credential, kind as ResourceKind)
}
