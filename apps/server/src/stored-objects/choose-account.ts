import { Fault } from '@hub/contract'
import { allowsStorage, type ResourceApi, type ResourceKind, storageSwitchOf } from '@hub/providers'
import type { App } from '../core/app.ts'
import * as storedResources from '../db/queries/stored-resources.ts'
import { type Channel, servesModel } from '../relay/channels/channel.ts'
import type { AuthenticatedContext } from '../relay/context.ts'
import { accountAt } from '../relay/references/account.ts'
import { storingKeyOf } from '../relay/references/owner.ts'
import { channelIndex } from '../relay/routing/channel-index.ts'
import { type CooldownKey, cooldownEnd } from '../relay/routing/cooldown.ts'
import { chooseKey } from '../relay/routing/keys.ts'
import { makeCandidates, pick, pickCoolingDown } from '../relay/routing/pick.ts'
import type { StorageAccount } from '../relay/upstream/accounts/account-request.ts'

export type AccountCriteria = {
  api: ResourceApi
  kind: ResourceKind
  /** A model that the channel must serve; undefined: any that the token may use. */
  model?: string | undefined
}

/**
 * Chooses the account for a new object: that of the caller's latest object where it fits, so that one request can use
 * several of them, or else a channel of the group by priority and weight.
 */
export const chooseAccount = async (
  app: App,
  context: AuthenticatedContext,
  criteria: AccountCriteria,
): Promise<StorageAccount> => {
  const { byId } = await channelIndex(app).get()
  const channels = [...byId.values()].filter(each => isOpen(context, each, criteria))
  const key = { model: criteria.model ?? '', operation: criteria.kind }
  const ids = channels.map(each => each.id)
  const latest =
    ids.length > 0
      ? await storedResources.findLatest(app.callDb, context.caller.userId, ids)
      : undefined
  const used = channels.find(each => each.id === latest?.channel_id)
  if (latest && used && cooldownEnd(app)(used, key) === 0) {
    const storing = storingKeyOf(used, latest.credential)
    if (storing) return accountAt(used, storing.credential, criteria.kind)
  }
  const channel = pickPlain(app, channels, key)
  if (!channel) throw noAccount(criteria)
  return accountAt(channel, chooseKey(app, channel, key).credential, criteria.kind)
}

/** Whether some account may store such an object for the caller. */
export const hasAccount = async (
  app: App,
  context: AuthenticatedContext,
  criteria: AccountCriteria,
): Promise<boolean> => {
  const { byId } = await channelIndex(app).get()
  return [...byId.values()].some(each => isOpen(context, each, criteria))
}

/** Picks one of these channels for a request that is no call of a model. */
const pickPlain = (
  app: App,
  channels: readonly Channel[],
  key: CooldownKey,
): Channel | undefined => {
  const candidates = makeCandidates(channels)
  const criteria = {
    ...key,
    hasTools: false,
    stream: false,
    excluded: undefined,
    cooldownEnd: cooldownEnd(app),
  }
  return pick(candidates, criteria) ?? pickCoolingDown(candidates, criteria)
}

const noAccount = ({ kind, model }: Pick<AccountCriteria, 'kind' | 'model'>) =>
  new Fault('stored.none', {
    hint: `Needed: ${kind.replace('-', ' ')}${model === undefined ? '' : ` for ${model.slice(0, 100)}`}. An operator switches it on in the options of a channel: \`${storageSwitchOf(kind)}\`, “Storage for callers”${kind === 'conversations' ? ', or for the whole site by the setting `KeepResponsesEnabled`' : ''}.`,
  })

/** The channel's operator lets the caller store this kind of object there. */
const isOpen = (
  { caller, token, forcedChannel }: AuthenticatedContext,
  channel: Channel,
  { api, kind, model }: AccountCriteria,
): boolean => {
  const { stores } = channel.provider
  if (stores?.api !== api || stores.paths[kind] === undefined) return false
  if (!allowsStorage(channel.options, kind) || channel.id === forcedChannel?.except) return false
  const isReachable =
    forcedChannel?.only === undefined
      ? channel.groups.includes(caller.group)
      : channel.id === forcedChannel.only
  if (!isReachable) return false
  if (model !== undefined) return servesModel(channel, model)
  return !token.models || [...token.models].some(each => servesModel(channel, each))
}

/** Another collection of an account. Throws `stored.none` where its vendor or its operator has none. */
export const withKind = (
  { channel, credential }: StorageAccount,
  kind: ResourceKind,
): StorageAccount => {
  const hasKind = channel.provider.stores?.paths[kind] !== undefined
  if (!hasKind || !allowsStorage(channel.options, kind)) throw noAccount({ kind })
  return accountAt(channel, credential, kind)
}
