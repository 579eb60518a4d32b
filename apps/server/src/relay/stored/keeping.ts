import type { DialectId } from '@hub/dialects'
import type { Endpoint, Keeping } from '@hub/providers'
import { type Channel, sentAs } from '../channels/channel.ts'

type Asked = { dialect: DialectId; model?: string; what: Keeping }

/** Where a channel's vendor has this for the answers that it keeps; undefined: it has not, or this channel lacks it. */
export const keepingEndpoint = (
  channel: Channel,
  { dialect, model, what }: Asked,
): Endpoint | undefined => {
  if (channel.lacks === dialect) return undefined
  return channel.provider.serves.chat?.find(
    each =>
      each.dialect === dialect &&
      each.keeps?.includes(what) &&
      (model === undefined || !each.only || each.only.test(sentAs(channel, model))),
  )
}
