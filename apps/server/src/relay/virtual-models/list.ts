import type { VirtualCandidate } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { type DecodedVirtualModel, virtualModelIndex } from '../channels/virtual-models.ts'
import { billedModels, channelIndex, findCandidates } from '../routing/channel-index.ts'
import { isPriced } from './resolve.ts'

/** A model and a group at whose price a virtual model may serve. */
export type ServingPrice = { model: string; group: string }

export type ListedVirtualModel = { name: string; prices: readonly ServingPrice[] }

/** The virtual models that a group may call, and that have a candidate with a channel and a price. */
export const listVirtualModels = async (app: App, group: string): Promise<ListedVirtualModel[]> => {
  const listed = await Promise.all(
    [...(await virtualModelIndex(app).get()).values()].map(each =>
      describeVirtualModel(app, each, group),
    ),
  )
  return listed.filter(each => each !== undefined)
}

/** Undefined where the group may not call it, or no candidate can serve. */
export const describeVirtualModel = async (
  app: App,
  { name, groups, candidates }: DecodedVirtualModel,
  group: string,
): Promise<ListedVirtualModel | undefined> => {
  if (!groups.has(group)) return undefined
  const found = await Promise.all(candidates.map(each => servingPricesOf(app, each, group)))
  const prices = found.flatMap(each => (each.reason === undefined ? each.prices : []))
  return prices.length > 0 ? { name, prices } : undefined
}

type Serving = {
  channels: number
  prices: readonly ServingPrice[]
  reason?: 'no_channel' | 'no_price'
}

/** The channels of a candidate for a caller's group, and the prices at which they serve. */
export const servingPricesOf = async (
  app: App,
  candidate: Pick<VirtualCandidate, 'model' | 'group'>,
  callerGroup: string,
): Promise<Serving> => {
  const group = candidate.group || callerGroup
  const found = findCandidates(await channelIndex(app).get(), group, candidate.model)
  if (!found) return { channels: 0, prices: [], reason: 'no_channel' }
  const models = billedModels(found, candidate.model)
  const prices = models.map(model => ({ model, group }))
  const serving = { channels: found.size, prices }
  return isPriced(app, [{ group, models }]) ? serving : { ...serving, reason: 'no_price' }
}
