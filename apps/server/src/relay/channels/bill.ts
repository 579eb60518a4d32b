import { hasListPrices } from '@hub/providers'
import type { UpstreamBill } from '../../billing/open-hold.ts'
import type { Channel } from './channel.ts'

type Billed = Pick<UpstreamBill, 'upstreamModel' | 'usage' | 'ratio'>

/** Makes the bill of the vendor behind a channel for a call that it was sent. */
export const billOf = (
  { provider, baseUrl }: Pick<Channel, 'provider' | 'baseUrl'>,
  billed: Billed,
): UpstreamBill => ({
  ...billed,
  channelType: provider.type,
  hasListPrices: hasListPrices(provider, baseUrl),
})
