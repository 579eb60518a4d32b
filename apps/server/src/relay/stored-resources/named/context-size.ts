import type { App } from '../../../core/app.ts'
import { cachedQuery } from '../../../core/app-scoped.ts'
import { listContextLengths } from '../../../db/queries/model-info.ts'
import { type Channel, contextSizeOf, upstreamModelOf } from '../../channels/channel.ts'
import type { Candidates } from '../../routing/pick.ts'

const contextLengths = cachedQuery<ReadonlyMap<string, number>>(
  ['model-info'],
  async app =>
    new Map((await listContextLengths(app.callDb)).map(each => [each.model, each.context_length])),
)

/**
 * The longest prompt in tokens that any of the channels takes for the model, by the channel's own list or the model
 * information. Undefined where one of them is not known.
 */
export const contextSize = async (
  app: App,
  { tiers }: Candidates,
  model: string,
): Promise<number | undefined> => {
  const lengths = await contextLengths(app).get()
  const sizeAt = (channel: Channel) =>
    contextSizeOf(channel, model) ??
    lengths.get(upstreamModelOf(channel, model)) ??
    lengths.get(model)
  const sizes = tiers.flatMap(each => each.channels).map(sizeAt)
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined
  return Math.max(...sizes.map(each => each ?? 0))
}
