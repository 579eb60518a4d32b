import type { DialectId } from '@hub/dialects'
import type { Endpoint, StoredResponseFeature } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { type Channel, upstreamModelOf } from '../channels/channel.ts'
import { unsupportedDialectsOf } from '../routing/missing-dialects.ts'

type Criteria = { dialect: DialectId; model?: string; feature: StoredResponseFeature }

/** Finds the channel's endpoint that has this feature of stored responses; undefined where there is none. */
export const storingEndpoint = (
  app: App,
  channel: Channel,
  { dialect, model, feature }: Criteria,
): Endpoint | undefined => {
  const upstreamModel = model === undefined ? '' : upstreamModelOf(channel, model)
  if (unsupportedDialectsOf(app, channel, upstreamModel)?.has(dialect)) return undefined
  return channel.provider.serves.chat?.find(
    each =>
      each.dialect === dialect &&
      each.storedResponses?.includes(feature) &&
      (model === undefined || !each.onlyModels || each.onlyModels.test(upstreamModel)),
  )
}
