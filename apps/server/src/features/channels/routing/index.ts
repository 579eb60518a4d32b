import { type ChannelRoute, type ChannelRouting, Fault } from '@hub/contract'
import type { App } from '../../../core/app.ts'
import { findChannel } from '../../../db/queries/relay-channels.ts'
import { type Channel, decodeChannel, unusableProvider } from '../../../relay/channels/channel.ts'
import {
  type ChannelIndex,
  candidatesOf,
  channelIndex,
} from '../../../relay/routing/channel-index.ts'
import { runningCooldown } from '../../../relay/routing/cooldown.ts'
import { exchangeChannel, shareAt, type Tier } from '../../../relay/routing/pick.ts'

/** Reads which channels share the calls of each group and model of a channel, from the candidates of the relay. */
export const readRouting = async (app: App, id: number): Promise<ChannelRouting> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  const index = await channelIndex(app).get()
  const enabled = index.byId.get(id)
  const channel = enabled ?? decodeChannel(app, row)
  if (!channel) throw unusableProvider(row.type)
  const { routes, shown } = collectRoutes(index, channel, enabled !== undefined)
  return {
    enabled: enabled !== undefined,
    routes,
    cooldowns: [...shown].flatMap(each => {
      const cooldown = runningCooldown(app, each)
      if (!cooldown) return []
      const { models, milliseconds } = cooldown
      return [{ channel_id: each.id, models, seconds: Math.ceil(milliseconds / 1_000) }]
    }),
  }
}

/** The routes, in which models with equal tiers stand together, and every channel that they show. */
const collectRoutes = (index: ChannelIndex, channel: Channel, isEnabled: boolean) => {
  const routes = new Map<string, ChannelRoute>()
  const shown = new Set<Channel>()
  for (const group of channel.groups)
    for (const model of channel.models) {
      const inGroup = index.byGroup.get(group)
      const candidates = inGroup && candidatesOf(inGroup, model)
      const { tiers } = isEnabled ? candidates! : exchangeChannel(candidates, undefined, channel)!
      const key = JSON.stringify([group, tiers.map(tier => tier.channels.map(each => each.id))])
      const known = routes.get(key)
      if (known) known.models.push(model)
      else routes.set(key, { group, models: [model], tiers: tiers.map(toTier) })
      if (!known) for (const tier of tiers) for (const each of tier.channels) shown.add(each)
    }
  return { routes: [...routes.values()], shown }
}

const toTier = (tier: Tier): ChannelRoute['tiers'][number] => ({
  priority: tier.channels[0]!.priority,
  channels: tier.channels.map(({ id, name, weight }, index) => ({
    ...{ id, name, weight },
    share: shareAt(tier, index),
  })),
})
