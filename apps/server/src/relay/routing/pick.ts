import type { ParsedRequest } from '@hub/dialects'
import type { Channel } from '../channels/channel.ts'
import type { CooldownEnd, CooldownKey } from './cooldown.ts'

/** Channels of one priority, with running sums of their weights: a draw is a binary search. */
export type Tier = { channels: readonly Channel[]; sums: readonly number[] }
/** The channels that serve a model for a group, highest priority first. */
export type Candidates = {
  tiers: readonly Tier[]
  /** The part of the prompt that is reserved: the largest that any of the channels asks for. */
  preCost: Channel['preCost']
}

export type PickCriteria = CooldownKey & {
  hasTools: boolean
  stream: boolean
  /** Channel ids that this call must not use (again). */
  excluded: ReadonlySet<number> | undefined
  cooldownEnd: CooldownEnd
  /** In [0, 1). */
  random(): number
}

/** After this many draws of an unusable channel the whole tier is searched. */
const drawsMax = 3

/** Picks a usable channel that is not cooling down: the highest priority first, by weight within one priority. */
export const pick = (
  candidates: Pick<Candidates, 'tiers'>,
  criteria: PickCriteria,
): Channel | undefined => {
  for (const tier of candidates.tiers) {
    const channel = draw(tier, criteria) ?? search(tier, criteria)
    if (channel) return channel
  }
  return undefined
}

/** Picks the usable channel whose cooldown ends first, for a call that no other channel can serve. */
export const pickCoolingDown = (
  candidates: Pick<Candidates, 'tiers'>,
  criteria: PickCriteria,
): Channel | undefined => {
  let first: Channel | undefined
  let firstEnd = Number.POSITIVE_INFINITY
  for (const { channels } of candidates.tiers)
    for (const channel of channels) {
      const end = criteria.cooldownEnd(channel, criteria)
      if (end >= firstEnd || !canServe(channel, criteria)) continue
      first = channel
      firstEnd = end
    }
  return first
}

export const makeCandidates = (channels: readonly Channel[]): Candidates =>
  withPreCost(
    [...Map.groupBy(channels, each => each.priority)]
      .sort(([a], [b]) => b - a)
      .map(([, ofPriority]) => makeTier(ofPriority)),
  )

/** Candidates without one channel and with another. Undefined: none are left. Only the tiers of the two change. */
export const exchangeChannel = (
  candidates: Candidates | undefined,
  removed: Channel | undefined,
  added: Channel | undefined,
): Candidates | undefined => {
  const changed = [removed?.priority, added?.priority]
  const tiers = (candidates?.tiers ?? []).filter(tier => !changed.includes(priorityOf(tier)))
  for (const priority of new Set(changed)) {
    if (priority === undefined) continue
    const before = candidates?.tiers.find(tier => priorityOf(tier) === priority)?.channels ?? []
    const channels = before.filter(each => each !== removed)
    if (added?.priority === priority) {
      const index = channels.findIndex(each => each.id > added.id)
      channels.splice(index === -1 ? channels.length : index, 0, added)
    }
    if (channels.length > 0) tiers.push(makeTier(channels))
  }
  tiers.sort((a, b) => priorityOf(b) - priorityOf(a))
  return tiers.length > 0 ? withPreCost(tiers) : undefined
}

const priorityOf = ({ channels }: Tier): number => channels[0]!.priority

const withPreCost = (tiers: Tier[]): Candidates => {
  let preCost: Channel['preCost'] = 3
  for (const { channels } of tiers)
    for (const channel of channels) if (channel.preCost < preCost) preCost = channel.preCost
  return { tiers, preCost }
}

/** Prompt tokens that are reserved before the call. The actual cost is charged in any case. */
export const reservedPromptTokens = (
  { promptTokens, mediaTokens }: Pick<ParsedRequest, 'promptTokens' | 'mediaTokens'>,
  preCost: Channel['preCost'],
): number => {
  if (preCost === 1) return promptTokens
  return preCost === 2 ? promptTokens - (mediaTokens ?? 0) : 0
}

const makeTier = (channels: readonly Channel[]): Tier => {
  let sum = 0
  return {
    channels,
    sums: channels.map(each => {
      sum += Math.max(1, each.weight)
      return sum
    }),
  }
}

const canServe = (channel: Channel, { excluded, hasTools, stream, model }: PickCriteria) =>
  !excluded?.has(channel.id) &&
  !(channel.onlyChat && hasTools) &&
  !(stream && channel.unstreamableModels.has(model))

const isUsable = (channel: Channel, criteria: PickCriteria) =>
  canServe(channel, criteria) && criteria.cooldownEnd(channel, criteria) === 0

const draw = ({ channels, sums }: Tier, criteria: PickCriteria): Channel | undefined => {
  const total = sums.at(-1) ?? 0
  for (let draws = 0; draws < Math.min(drawsMax, channels.length); draws++) {
    const channel = channels[indexOf(sums, criteria.random() * total)]
    if (channel && isUsable(channel, criteria)) return channel
  }
  return undefined
}

/** The first sum above the point. */
const indexOf = (sums: readonly number[], point: number) => {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > point) high = middle
    else low = middle + 1
  }
  return low
}

const search = (tier: Tier, criteria: PickCriteria): Channel | undefined => {
  const usable = makeTier(tier.channels.filter(each => isUsable(each, criteria)))
  return usable.channels[indexOf(usable.sums, criteria.random() * (usable.sums.at(-1) ?? 0))]
}
