import type { UpstreamBill } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { billOf, upstreamModelOf } from '../channels/channel.ts'
import { findStoringChannel } from './owner.ts'

type StoredCall = {
  channelId: number
  /** The model's name here. */
  model: string
  /** The part of the price that the vendor charges. */
  ratio?: string
}

/** Makes the bill of a call that ends after its request; undefined where its channel is deleted. */
export const billOfStored = async (
  app: App,
  { channelId, model, ratio }: StoredCall,
): Promise<UpstreamBill | undefined> => {
  const { channel } = await findStoringChannel(app, channelId)
  return channel && billOf(channel, { upstreamModel: upstreamModelOf(channel, model), ratio })
}
