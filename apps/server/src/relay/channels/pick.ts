import type { Ask } from '@hub/dialects'
import type { Channel } from './channel.ts'

/** Channels of one priority, with running sums of their weights: a draw is a binary search. */
export type Tier = { channels: readonly Channel[]; sums: readonly number[] }
/** Who serves a model for a group, highest priority first. */
export type Serving = {
  tiers: readonly Tier[]
  /** How the prompt is counted before a call: as the most cautious of its channels wants it. */
  preCost: Channel['preCost']
}

export type Wish = {
  model: string
  hasTools: boolean
  stream: boolean
  /** Ids that this request must not use (again). */
  excluded: ReadonlySet<number> | undefined
  isResting(channel: Channel, model: string): boolean
  /** In [0, 1). */
  random(): number
}

/** After so many draws of a channel that cannot be used, the tier is looked through. */
const drawsMax = 3

export const pick = (serving: Pick<Serving, 'tiers'>, wish: Wish): Channel | undefined => {
  for (const tier of serving.tiers) {
    const channel = draw(tier, wish) ?? search(tier, wish)
    if (channel) return channel
  }
  return undefined
}

export const makeServing = (channels: readonly Channel[]): Serving => ({
  tiers: makeTiers(channels),
  preCost: Math.min(...channels.map(each => each.preCost)) as Channel['preCost'],
})

/** What of the prompt is reserved before the call begins; what it costs is charged in any case. */
export const countedPrompt = (
  { promptTokens, mediaTokens }: Pick<Ask, 'promptTokens' | 'mediaTokens'>,
  preCost: Channel['preCost'],
): number => {
  if (preCost === 1) return promptTokens
  return preCost === 2 ? promptTokens - (mediaTokens ?? 0) : 0
}

const makeTiers = (channels: readonly Channel[]): Tier[] => {
  const priorities = [...new Set(channels.map(each => each.priority))].sort((a, b) => b - a)
  return priorities.map(priority => makeTier(channels.filter(each => each.priority === priority)))
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

const isUsable = (channel: Channel, wish: Wish) =>
  !wish.excluded?.has(channel.id) &&
  !(channel.onlyChat && wish.hasTools) &&
  !(wish.stream && channel.streamless.has(wish.model)) &&
  !wish.isResting(channel, wish.model)

const draw = ({ channels, sums }: Tier, wish: Wish): Channel | undefined => {
  const total = sums.at(-1) ?? 0
  for (let draws = 0; draws < Math.min(drawsMax, channels.length); draws++) {
    const channel = channels[indexOf(sums, wish.random() * total)]
    if (channel && isUsable(channel, wish)) return channel
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

const search = (tier: Tier, wish: Wish): Channel | undefined => {
  const usable = makeTier(tier.channels.filter(each => isUsable(each, wish)))
  return usable.channels[indexOf(usable.sums, wish.random() * (usable.sums.at(-1) ?? 0))]
}
