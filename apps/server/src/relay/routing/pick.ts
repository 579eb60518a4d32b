import type { ParsedRequest } from '@hub/dialects'
import type { Operation } from '@hub/providers'
import { type Channel, contextSizeOf, seemsTooLong } from '../channels/channel.ts'
import type { CooldownEnd, CooldownKey, IsProbed } from './cooldown.ts'

/** Channels of one priority, with running sums of their weights. */
export type Tier = {
  channels: readonly Channel[]
  sums: readonly number[]
  /** For each of as many equal parts of the whole weight as there are channels: where its search begins. */
  starts: Int32Array
}
/** The channels that serve a model for a group, highest priority first. */
export type Candidates = {
  tiers: readonly Tier[]
  /** The part of the prompt that is reserved: the largest that any of the channels asks for. */
  preCost: Channel['preCost']
  /** The tokens of the longest system prompt of a channel, which is reserved besides the caller's prompt. */
  addedTokens: number
  /** The number of channels. */
  size: number
}

export type PickCriteria = CooldownKey & {
  /** The key of the provider's endpoints; undefined: any channel has what the call needs. */
  endpoints?: Operation | undefined
  hasTools: boolean
  stream: boolean
  /** The estimated tokens of the prompt. Undefined: they do not matter. */
  promptTokens?: number | undefined
  /** Pass over channels whose model is documented with a shorter context, unless the channel names its own. */
  avoidsShortContexts?: boolean | undefined
  /** Channel ids that this call must not use (again). */
  excluded: ReadonlySet<number> | undefined
  cooldownEnd: CooldownEnd
  /** Another call probes the channel after its cooldown. Undefined: that does not matter. */
  isProbed?: IsProbed | undefined
  /** In [0, 1). Absent: drawn by chance. */
  random?(): number
  /** Is chosen before all others of its priority. */
  preferred?: Channel | undefined
  /** Set by `pick` once it met a channel that the call cannot use. */
  hasPassedOver?: boolean
}

/** After this many draws of an unusable channel the whole tier is searched. */
const drawsMax = 16

/** Picks a usable channel that is not cooling down: the highest priority first, by weight within one priority. */
export const pick = (
  candidates: Pick<Candidates, 'tiers'>,
  criteria: PickCriteria,
): Channel | undefined => {
  for (const tier of candidates.tiers) {
    const channel = preferredIn(tier, criteria) ?? draw(tier, criteria) ?? search(tier, criteria)
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
      if (end >= firstEnd || obstacleOf(channel, criteria)) continue
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
  let size = 0
  let addedTokens = 0
  for (const { channels } of tiers) {
    size += channels.length
    for (const { preCost: own, systemPrompt } of channels) {
      if (own < preCost) preCost = own
      if (systemPrompt && systemPrompt.tokens > addedTokens) addedTokens = systemPrompt.tokens
    }
  }
  return { tiers, preCost, addedTokens, size }
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
  let total = 0
  const sums = channels.map(each => {
    total += Math.max(1, each.weight)
    return total
  })
  const starts = new Int32Array(channels.length)
  let index = 0
  for (let part = 0; part < starts.length; part++) {
    while (sums[index]! <= (part / starts.length) * total) index++
    starts[part] = index
  }
  return { channels, sums, starts }
}

/** The part of a tier's draws that fall on the channel at this index. */
export const shareAt = ({ sums }: Tier, index: number): number =>
  (sums[index]! - (sums[index - 1] ?? 0)) / sums.at(-1)!

/** The reason for which a channel cannot serve the call at all, cooling down or not. */
export const obstacleOf = (channel: Channel, criteria: PickCriteria) => {
  const { excluded, endpoints, hasTools, stream, model, promptTokens } = criteria
  if (excluded?.has(channel.id)) return 'excluded'
  if (endpoints !== undefined && !channel.provider.serves[endpoints]) return 'no_operation'
  if (channel.onlyChat && hasTools) return 'chat_only'
  if (stream && channel.unstreamableModels.has(model)) return 'no_stream'
  if (promptTokens === undefined) return undefined
  const size = contextSizeOf(channel, model)
  const tokens = promptTokens + (channel.systemPrompt?.tokens ?? 0)
  const isTooLong =
    (size !== undefined && tokens > size) ||
    (criteria.avoidsShortContexts && seemsTooLong(channel, model, tokens))
  return isTooLong ? 'context_too_small' : undefined
}

const isUsable = (channel: Channel, criteria: PickCriteria) => {
  if (
    !obstacleOf(channel, criteria) &&
    criteria.cooldownEnd(channel, criteria) === 0 &&
    !criteria.isProbed?.(channel, criteria)
  )
    return true
  criteria.hasPassedOver = true
  return false
}

const preferredIn = ({ channels }: Tier, criteria: PickCriteria): Channel | undefined => {
  const { preferred } = criteria
  if (preferred?.priority !== channels[0]?.priority || !preferred) return undefined
  return channels.includes(preferred) && isUsable(preferred, criteria) ? preferred : undefined
}

const draw = (tier: Tier, criteria: PickCriteria): Channel | undefined => {
  const { channels } = tier
  for (let draws = 0; draws < Math.min(drawsMax, channels.length); draws++) {
    const channel = channels[indexAt(tier, drawPoint(criteria))]
    if (channel && isUsable(channel, criteria)) return channel
  }
  return undefined
}

const drawPoint = ({ random = Math.random }: PickCriteria): number => random()

/** The first sum above the point, which is in [0, 1). The parts keep the search short, so that few bytes are read. */
const indexAt = ({ sums, starts }: Tier, point: number): number => {
  const weight = point * (sums.at(-1) ?? 0)
  const part = Math.floor(point * starts.length)
  // Rounding may put a point into the part after its own.
  let low = starts[Math.max(0, part - 1)] ?? 0
  let high = starts[part + 1] ?? sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > weight) high = middle
    else low = middle + 1
  }
  return low
}

const search = (tier: Tier, criteria: PickCriteria): Channel | undefined => {
  const usable = makeTier(tier.channels.filter(each => isUsable(each, criteria)))
  return usable.channels[indexAt(usable, drawPoint(criteria))]
}
