import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import { billedModelOf, type Channel } from '../channels/channel.ts'
import {
  type ChannelIndex,
  channelIndex,
  findCandidates,
  findUsableBackup,
  listModels,
} from '../routing/channel-index.ts'
import type { Candidates } from '../routing/pick.ts'

/** The models that a key may call: each has an enabled channel and a price. Cooldowns do not change the list. */
export type CallableModels = {
  /** By name, without prefixes and virtual models. */
  names(): string[]
  /** The group whose channels and prices serve a call for the model. Undefined: the call would be refused. */
  groupOf(model: string): string | undefined
}

/** Follows the rules of a call: its own group comes first, and each model that may serve it must have a price. */
export const callableModels = async (app: App, caller: Caller): Promise<CallableModels> => {
  const index = await channelIndex(app).get()
  const { group } = caller
  const usable = await findUsableBackup(app, caller)
  const backup = usable === group ? undefined : usable
  const groupOf = (model: string): string | undefined => {
    const own = findCandidates(index, group, model)
    const second = backup === undefined ? undefined : findCandidates(index, backup, model)
    const isPriced =
      (!own || isPricedIn(app, group, own, model)) &&
      (!second || isPricedIn(app, backup!, second, model))
    if (!isPriced) return undefined
    if (own) return group
    return second ? backup : undefined
  }
  return { names: () => namesIn(index, group, backup).filter(each => groupOf(each)), groupOf }
}

const namesIn = (index: ChannelIndex, group: string, backup: string | undefined): string[] => {
  const own = listModels(index, group)
  return backup === undefined ? own : [...new Set([...own, ...listModels(index, backup)])].sort()
}

/** A hold covers every name that the call may be billed as, so each must have a price. */
const isPricedIn = (app: App, group: string, { tiers }: Candidates, model: string): boolean =>
  tiers.every(tier => tier.channels.every(channel => hasPrice(app, channel, group, model)))

export const hasPrice = (app: App, channel: Channel, group: string, model: string): boolean => {
  const billed = billedModelOf(channel, model)
  const names = channel.provider.tasks?.priceNames?.(billed) ?? []
  return [billed, ...names].some(each => priceCache(app).find(each, group) !== undefined)
}
