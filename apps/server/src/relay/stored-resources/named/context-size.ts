import type { App } from '../../../core/app.ts'
import type { Channel } from '../../channels/channel.ts'
import { contextOf, modelSizes } from '../../channels/model-sizes.ts'
import type { Candidates } from '../../routing/pick.ts'

/**
 * The longest prompt in tokens that any of the channels takes for the model, by the channel's own list or the model
 * information. Undefined where one of them is not known.
 */
export const contextSize = async (
  app: App,
  { tiers }: Candidates,
  model: string,
): Promise<number | undefined> => {
  const known = await modelSizes(app).get()
  const sizeAt = (channel: Channel) => contextOf(known, channel, model)
  const sizes = tiers.flatMap(each => each.channels).map(sizeAt)
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined
  return Math.max(...sizes.map(each => each ?? 0))
}
