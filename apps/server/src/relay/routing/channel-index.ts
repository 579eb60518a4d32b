import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import { unavailableReasonOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { cachedQuery } from '../../core/app-scoped.ts'
import type { Call, Caller } from '../../core/call.ts'
import {
  listChanged,
  listEnabledChannels,
  type RelayChannelRow,
} from '../../db/queries/relay-channels.ts'
import { findVersion } from '../../db/queries/topics.ts'
import { groupCache } from '../auth/token-cache.ts'
import {
  billedModelOf,
  type Channel,
  decodeChannel,
  fingerprintOf,
  listOf,
  servesModel,
} from '../channels/channel.ts'
import { withKeyStates } from '../channels/keys.ts'
import { findVirtualModel } from '../channels/virtual-models.ts'
import type { ResolvedRequest, TokenChannels } from '../context.ts'
import { type Candidates, exchangeChannel, makeCandidates } from './pick.ts'

type GroupCandidates = {
  exact: Map<string, Candidates>
  /** Longest prefix first, so that the first match is the best. */
  prefixes: { prefix: string; candidates: Candidates }[]
}

/** The enabled channels by id, and by group and model. A change replaces the candidates of the changed channel's models. */
export type ChannelIndex = {
  byId: ReadonlyMap<number, Channel>
  byGroup: ReadonlyMap<string, GroupCandidates>
  unavailable: UnavailableChannels
}

type MutableIndex = {
  byId: Map<number, Channel>
  byGroup: Map<string, GroupCandidates>
  unavailable: UnavailableChannels
  /** The version of the topic up to which changes were applied. */
  version: number
}

export const channelIndex = cachedQuery<ChannelIndex>(['channels'], (app, before) =>
  before ? applyChanges(app, before as MutableIndex) : loadIndex(app),
)

const loadIndex = async (app: App, before?: MutableIndex): Promise<MutableIndex> => {
  const version = await findVersion(app.callDb, 'channels')
  const byId = new Map<number, Channel>()
  const unavailable: UnavailableChannels = new Map()
  for (const row of await listEnabledChannels(app.callDb)) {
    const channel = decodeChanged(app, row, before?.byId.get(row.id))
    if (channel) byId.set(channel.id, channel)
    else noteUnavailable(unavailable, row)
  }
  return { ...makeChannelIndex(byId), unavailable, version }
}

/** Reads the changed rows only. A version without a row, such as an earlier release writes, makes it read all rows. */
const applyChanges = async (app: App, index: MutableIndex): Promise<MutableIndex> => {
  const version = await findVersion(app.callDb, 'channels')
  const rows = await listChanged(app.callDb, index.version)
  const latest = rows.reduce((max, row) => Math.max(max, row.version ?? 0), index.version)
  if (latest < version) return loadIndex(app, index)
  for (const row of rows) {
    const before = index.byId.get(row.id)
    const isServing = row.status === 1 && row.deleted_at === null
    const after = isServing ? decodeChanged(app, row, before) : undefined
    index.unavailable.delete(row.id)
    if (isServing && !after) noteUnavailable(index.unavailable, row)
    if (before === after) continue
    replaceChannel(index, before, after)
  }
  index.version = latest
  return index
}

const decodeChanged = (app: App, row: RelayChannelRow, known: Channel | undefined) =>
  known?.fingerprint === fingerprintOf(row)
    ? withKeyStates(known, row.key_states)
    : decodeChannel(app, row)

export const makeChannelIndex = (byId: Map<number, Channel>) => {
  const lists = new Map<string, Map<string, Channel[]>>()
  for (const channel of byId.values())
    for (const group of channel.groups) {
      const models = lists.get(group) ?? new Map<string, Channel[]>()
      lists.set(group, models)
      for (const model of channel.models) {
        const list = models.get(model)
        if (list) list.push(channel)
        else models.set(model, [channel])
      }
    }
  const byGroup = new Map([...lists].map(([group, models]) => [group, makeGroup(models)]))
  return { byId, byGroup }
}

const makeGroup = (models: ReadonlyMap<string, readonly Channel[]>): GroupCandidates => {
  const group: GroupCandidates = { exact: new Map(), prefixes: [] }
  for (const [model, channels] of models) setCandidates(group, model, makeCandidates(channels))
  return group
}

/** Puts a channel in the place of its former state; either may be missing. */
export const replaceChannel = (
  { byId, byGroup }: Pick<MutableIndex, 'byId' | 'byGroup'>,
  before: Channel | undefined,
  after: Channel | undefined,
): void => {
  for (const name of union(before?.groups, after?.groups)) {
    const group = byGroup.get(name) ?? { exact: new Map(), prefixes: [] }
    const [old, next] = [before, after].map(each =>
      each?.groups.includes(name) ? each : undefined,
    )
    for (const model of union(old?.models, next?.models)) {
      const removed = old?.models.includes(model) ? old : undefined
      const added = next?.models.includes(model) ? next : undefined
      setCandidates(group, model, exchangeChannel(candidatesOf(group, model), removed, added))
    }
    if (group.exact.size + group.prefixes.length > 0) byGroup.set(name, group)
    else byGroup.delete(name)
  }
  if (after) byId.set(after.id, after)
  else if (before) byId.delete(before.id)
}

const union = (one: readonly string[] = [], other: readonly string[] = []) =>
  new Set([...one, ...other])

/** The channels that list exactly this name, or this prefix with its `*`. */
export const candidatesOf = ({ exact, prefixes }: GroupCandidates, model: string) =>
  model.endsWith('*')
    ? prefixes.find(each => each.prefix === model.slice(0, -1))?.candidates
    : exact.get(model)

const setCandidates = (
  group: GroupCandidates,
  model: string,
  candidates: Candidates | undefined,
): void => {
  if (!model.endsWith('*')) {
    if (candidates) group.exact.set(model, candidates)
    else group.exact.delete(model)
    return
  }
  const prefix = model.slice(0, -1)
  group.prefixes = group.prefixes.filter(each => each.prefix !== prefix)
  if (candidates) group.prefixes.push({ prefix, candidates })
  group.prefixes.sort((a, b) => b.prefix.length - a.prefix.length)
}

/** Finds the channels of a model. An exact name wins over any prefix, a longer prefix over a shorter one. */
export const findCandidates = (
  index: Pick<ChannelIndex, 'byGroup'>,
  group: string,
  model: string,
): Candidates | undefined => {
  const found = index.byGroup.get(group)
  return (
    found?.exact.get(model) ??
    found?.prefixes.find(each => model.startsWith(each.prefix))?.candidates
  )
}

/** The lists of the latest models, by candidates, which a change of a channel replaces. */
const billedLists = new WeakMap<Candidates, Map<string, string[]>>()
/** Callers can invent names for channels whose model list has a wildcard. */
const billedListsMax = 100

/** Every model that a call for this one may be billed as; the hold reserves the most expensive. */
export const billedModels = (candidates: Candidates, model: string): readonly string[] => {
  let lists = billedLists.get(candidates)
  if (!lists || lists.size >= billedListsMax) {
    lists = new Map()
    billedLists.set(candidates, lists)
  }
  let list = lists.get(model)
  if (!list) {
    list = listBilledModels(candidates, model)
    lists.set(model, list)
  }
  return list
}

const listBilledModels = (candidates: Candidates, model: string): string[] => {
  // Nearly always one name; an empty list would allocate room for seventeen.
  let names: string[] | undefined
  for (const tier of candidates.tiers)
    for (const channel of tier.channels) {
      const name = billedModelOf(channel, model)
      if (!names) names = [name]
      else if (!names.includes(name)) names.push(name)
    }
  return names ?? []
}

/** The models of a group as its channels name them, without prefixes. */
export const listModels = (index: Pick<ChannelIndex, 'byGroup'>, group: string): string[] =>
  [...(index.byGroup.get(group)?.exact.keys() ?? [])].sort()

type RoutedCall = Pick<Call, 'caller' | 'forcedChannel'>

/** Candidates are resolved before this, except for operations such as tasks and realtime sessions. */
const takesNoVirtualModel = (model: string) =>
  new Fault('operation.unsupported', {
    hint: `'${model}' is a virtual model, which this operation cannot use.`,
  })

/** The channels that may serve a call. Throws `model.unknown` where no channel lists the model. */
export const channelsFor = (
  app: App,
  call: RoutedCall,
  model: string,
): TokenChannels | Promise<TokenChannels> => {
  const index = channelIndex(app).get()
  if (findVirtualModel(app, model)) throw takesNoVirtualModel(model)
  if (call.caller.backupGroup !== '') return channelsWithBackup(app, call, model)
  return index instanceof Promise
    ? index.then(loaded => channelsIn(loaded, call, model))
    : channelsIn(index, call, model)
}

/** Those of the backup group are the only ones, prices included, where the token's own group has none for the model. */
const channelsWithBackup = async (
  app: App,
  call: RoutedCall,
  model: string,
): Promise<TokenChannels> => {
  const index = await channelIndex(app).get()
  const { group, backupGroup } = call.caller
  if (call.forcedChannel?.only !== undefined || group === backupGroup)
    return channelsIn(index, call, model)
  const usable = await findUsableBackup(app, call.caller)
  const candidates = usable === undefined ? undefined : findCandidates(index, usable, model)
  const own = findCandidates(index, group, model)
  const backup = candidates && { group: backupGroup, candidates }
  if (own) return { group, candidates: own, backup }
  return backup ?? channelsIn(index, call, model)
}

/** The token's backup group. Undefined: it has none, or its owner was moved out of the group since. */
export const findUsableBackup = async (
  app: App,
  { backupGroup, userGroup }: Caller,
): Promise<string | undefined> => {
  if (backupGroup === '') return undefined
  const backup = (await groupCache(app).get()).get(backupGroup)
  return backup && (backup.isPublic || backupGroup === userGroup) ? backupGroup : undefined
}

/** The target of a request that any of the channels may serve. */
export const resolveAny = (
  parsed: ParsedRequest,
  channels: TokenChannels | Promise<TokenChannels>,
): ResolvedRequest | Promise<ResolvedRequest> =>
  channels instanceof Promise
    ? channels.then(target => ({ parsed, target }))
    : { parsed, target: channels }

const channelsIn = (index: ChannelIndex, call: RoutedCall, model: string): TokenChannels => {
  const { group } = call.caller
  const only = call.forcedChannel?.only
  const candidates =
    only === undefined ? findCandidates(index, group, model) : forcedCandidates(index, only, model)
  return { group, candidates: candidates ?? refuseModel(index, group, model) }
}

const refuseModel = (index: ChannelIndex, group: string, model: string): never => {
  const reason = findReason(index.unavailable, group, model)
  const hint = [`Model: ${model.slice(0, 200)}.`, ...(reason === undefined ? [] : [reason])]
  throw new Fault('model.unknown', { hint: hint.join(' ') })
}

/** The channel that an administrator forces may be of any group, but must list the model. */
const forcedCandidates = (
  index: ChannelIndex,
  id: number,
  model: string,
): Candidates | undefined => {
  const channel = index.byId.get(id)
  return channel && servesModel(channel, model) ? makeCandidates([channel]) : undefined
}

type UnavailableChannel = { groups: readonly string[]; models: readonly string[]; reason: string }

/** Enabled channels of types that cannot be called, by id. Callers of their models learn why. */
type UnavailableChannels = Map<number, UnavailableChannel>

const noteUnavailable = (
  channels: UnavailableChannels,
  { id, type, group, models }: RelayChannelRow,
): void => {
  const reason = unavailableReasonOf(type)
  if (reason !== undefined)
    channels.set(id, { groups: listOf(group), models: listOf(models), reason })
}

/** Says why no channel of the group serves the model. Undefined: none of them lists it. */
const findReason = (
  channels: ReadonlyMap<number, UnavailableChannel>,
  group: string,
  model: string,
): string | undefined => {
  for (const each of channels.values())
    if (each.groups.includes(group) && each.models.includes(model)) return each.reason
  return undefined
}
