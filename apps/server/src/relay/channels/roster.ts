import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import { listEnabledChannels } from '../../db/queries/relay-channels.ts'
import { closePools } from '../upstream/pools.ts'
import { watched } from '../watched.ts'
import { billedAs, type Channel, decodeChannel, textOf } from './channel.ts'
import { makeServing, type Serving } from './pick.ts'

type GroupServings = {
  exact: ReadonlyMap<string, Serving>
  /** Longest prefix first, so that the first that fits is the best. */
  prefixes: readonly { prefix: string; serving: Serving }[]
}

/** Who serves which model for which group. Made anew when a channel changes; calls that run keep theirs. */
export type Roster = {
  byId: ReadonlyMap<number, Channel>
  byGroup: ReadonlyMap<string, GroupServings>
}

export const roster = watched<Roster>(['channels'], async (app, before) => {
  const rows = await listEnabledChannels(app.db)
  const byId = new Map<number, Channel>()
  for (const row of rows) {
    const known = before?.byId.get(row.id)
    const channel = known?.row === textOf(row) ? known : decodeChannel(app, row)
    if (channel) byId.set(channel.id, channel)
  }
  closeReplaced(app, before, byId)
  return makeRoster(byId)
})

const closeReplaced = (app: App, before: Roster | undefined, byId: Roster['byId']) => {
  for (const channel of before?.byId.values() ?? [])
    if (byId.get(channel.id) !== channel) closePools(app, channel)
}

export const makeRoster = (byId: ReadonlyMap<number, Channel>): Roster => {
  const lists = new Map<string, Map<string, Channel[]>>()
  for (const channel of byId.values())
    for (const group of channel.groups) {
      const models = lists.get(group) ?? new Map<string, Channel[]>()
      lists.set(group, models)
      for (const model of channel.models) models.set(model, [...(models.get(model) ?? []), channel])
    }
  const byGroup = new Map([...lists].map(([group, models]) => [group, makeServings(models)]))
  return { byId, byGroup }
}

const makeServings = (models: ReadonlyMap<string, readonly Channel[]>): GroupServings => {
  const all = [...models].map(([model, channels]) => ({
    model,
    serving: makeServing(channels),
  }))
  return {
    exact: new Map(
      all.filter(each => !each.model.endsWith('*')).map(each => [each.model, each.serving]),
    ),
    prefixes: all
      .filter(each => each.model.endsWith('*'))
      .map(each => ({ prefix: each.model.slice(0, -1), serving: each.serving }))
      .sort((a, b) => b.prefix.length - a.prefix.length),
  }
}

/** A name that a channel lists goes before any prefix, and a longer prefix before a shorter one. */
export const findServing = (known: Roster, group: string, model: string): Serving | undefined => {
  const servings = known.byGroup.get(group)
  return (
    servings?.exact.get(model) ??
    servings?.prefixes.find(each => model.startsWith(each.prefix))?.serving
  )
}

/** Every name that a call for this model may be billed as: the hold takes the dearest of them. */
export const billedNames = (serving: Serving, model: string): string[] => {
  // Nearly always one name, and a list that begins empty takes room for seventeen.
  let names: string[] | undefined
  for (const tier of serving.tiers)
    for (const channel of tier.channels) {
      const name = billedAs(channel, model)
      if (!names) names = [name]
      else if (!names.includes(name)) names.push(name)
    }
  return names ?? []
}

/** The models of a group, as written in its channels, prefixes left out. */
export const listModels = (known: Roster, group: string): string[] =>
  [...(known.byGroup.get(group)?.exact.keys() ?? [])].sort()

/** Who may be asked; a fault where nobody serves the model, not even at another time. */
export const servingFor = (app: App, call: Call, model: string): Serving | Promise<Serving> => {
  const known = roster(app).get()
  return known instanceof Promise
    ? known.then(now => servingIn(now, call, model))
    : servingIn(known, call, model)
}

const servingIn = (now: Roster, call: Call, model: string): Serving => {
  const only = call.pin?.only
  const serving =
    only === undefined ? findServing(now, call.caller.group, model) : pinned(now, only, model)
  if (!serving) throw new Fault('model.unknown', { hint: `Model: ${model.slice(0, 200)}.` })
  return serving
}

/** An administrator's channel, whatever its groups: but it must serve the model. */
const pinned = (known: Roster, id: number, model: string): Serving | undefined => {
  const channel = known.byId.get(id)
  const serves = channel?.models.some(each =>
    each.endsWith('*') ? model.startsWith(each.slice(0, -1)) : each === model,
  )
  return channel && serves ? makeServing([channel]) : undefined
}
