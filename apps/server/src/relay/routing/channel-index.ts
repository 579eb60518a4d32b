import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { cachedQuery } from '../../core/cached-query.ts'
import type { Call } from '../../core/call.ts'
import { listEnabledChannels } from '../../db/queries/relay-channels.ts'
import { billedModelOf, type Channel, decodeChannel, rowTextOf } from '../channels/channel.ts'
import type { ResolvedRequest } from '../context.ts'
import { closePools } from '../upstream/connection-pool.ts'
import { type Candidates, makeCandidates } from './pick.ts'

type GroupCandidates = {
  exact: ReadonlyMap<string, Candidates>
  /** Longest prefix first, so that the first match is the best. */
  prefixes: readonly { prefix: string; candidates: Candidates }[]
}

/** The enabled channels by id, and by group and model. A new index replaces it when a channel changes. */
export type ChannelIndex = {
  byId: ReadonlyMap<number, Channel>
  byGroup: ReadonlyMap<string, GroupCandidates>
}

export const channelIndex = cachedQuery<ChannelIndex>(['channels'], async (app, before) => {
  const rows = await listEnabledChannels(app.callDb)
  const byId = new Map<number, Channel>()
  for (const row of rows) {
    const known = before?.byId.get(row.id)
    const channel = known?.rowText === rowTextOf(row) ? known : decodeChannel(app, row)
    if (channel) byId.set(channel.id, channel)
  }
  closeReplacedPools(app, before, byId)
  return makeChannelIndex(byId)
})

const closeReplacedPools = (
  app: App,
  before: ChannelIndex | undefined,
  byId: ChannelIndex['byId'],
) => {
  for (const channel of before?.byId.values() ?? [])
    if (byId.get(channel.id) !== channel) closePools(app, channel)
}

export const makeChannelIndex = (byId: ReadonlyMap<number, Channel>): ChannelIndex => {
  const lists = new Map<string, Map<string, Channel[]>>()
  for (const channel of byId.values())
    for (const group of channel.groups) {
      const models = lists.get(group) ?? new Map<string, Channel[]>()
      lists.set(group, models)
      for (const model of channel.models) models.set(model, [...(models.get(model) ?? []), channel])
    }
  const byGroup = new Map([...lists].map(([group, models]) => [group, makeGroup(models)]))
  return { byId, byGroup }
}

const makeGroup = (models: ReadonlyMap<string, readonly Channel[]>): GroupCandidates => {
  const all = [...models].map(([model, channels]) => ({
    model,
    candidates: makeCandidates(channels),
  }))
  return {
    exact: new Map(
      all.filter(each => !each.model.endsWith('*')).map(each => [each.model, each.candidates]),
    ),
    prefixes: all
      .filter(each => each.model.endsWith('*'))
      .map(each => ({ prefix: each.model.slice(0, -1), candidates: each.candidates }))
      .sort((a, b) => b.prefix.length - a.prefix.length),
  }
}

/** Finds the channels of a model. An exact name wins over any prefix, a longer prefix over a shorter one. */
export const findCandidates = (
  index: ChannelIndex,
  group: string,
  model: string,
): Candidates | undefined => {
  const found = index.byGroup.get(group)
  return (
    found?.exact.get(model) ??
    found?.prefixes.find(each => model.startsWith(each.prefix))?.candidates
  )
}

/** Every model that a call for this one may be billed as; the hold reserves the most expensive. */
export const billedModels = (candidates: Candidates, model: string): string[] => {
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
export const listModels = (index: ChannelIndex, group: string): string[] =>
  [...(index.byGroup.get(group)?.exact.keys() ?? [])].sort()

/** The channels that may serve a call. Throws `model.unknown` where no channel lists the model. */
export const candidatesFor = (
  app: App,
  call: Call,
  model: string,
): Candidates | Promise<Candidates> => {
  const index = channelIndex(app).get()
  return index instanceof Promise
    ? index.then(loaded => candidatesIn(loaded, call, model))
    : candidatesIn(index, call, model)
}

/** The target of a request that any of the candidates may serve. */
export const resolveAny = (
  parsed: ParsedRequest,
  candidates: Candidates | Promise<Candidates>,
): ResolvedRequest | Promise<ResolvedRequest> =>
  candidates instanceof Promise
    ? candidates.then(loaded => ({ parsed, target: { candidates: loaded } }))
    : { parsed, target: { candidates } }

const candidatesIn = (index: ChannelIndex, call: Call, model: string): Candidates => {
  const only = call.forcedChannel?.only
  const candidates =
    only === undefined
      ? findCandidates(index, call.caller.group, model)
      : forcedCandidates(index, only, model)
  if (!candidates) throw new Fault('model.unknown', { hint: `Model: ${model.slice(0, 200)}.` })
  return candidates
}

/** The channel that an administrator forces may be of any group, but must list the model. */
const forcedCandidates = (
  index: ChannelIndex,
  id: number,
  model: string,
): Candidates | undefined => {
  const channel = index.byId.get(id)
  const servesModel = channel?.models.some(each =>
    each.endsWith('*') ? model.startsWith(each.slice(0, -1)) : each === model,
  )
  return channel && servesModel ? makeCandidates([channel]) : undefined
}
