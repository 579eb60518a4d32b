import type { App } from '../../core/app.ts'
import { findChannel } from '../../db/queries/relay-channels.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import { type Channel, decodeChannel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { channelIndex } from '../routing/channel-index.ts'
import { isResponseId } from './response-ids.ts'

/** Finds a stored response by its id; undefined where this user does not own one of that id. */
export const findOwnedResponse = async (
  app: App,
  userId: number,
  id: string,
): Promise<vendorResponses.ResponseOwner | undefined> => {
  const row = isResponseId(id) ? await vendorResponses.find(app.callDb, id) : undefined
  return row?.user_id === userId ? row : undefined
}

/** The gateway stores the response, not a vendor. */
export const isLocal = ({ size }: vendorResponses.ResponseOwner): boolean => size !== null

/** Finds the channel that has what it accepted, a disabled one too. It may exist and not be readable by this release. */
export const findStoringChannel = async (
  app: App,
  channelId: number,
): Promise<{ channel: Channel | undefined; isDeleted: boolean }> => {
  const indexed = (await channelIndex(app).get()).byId.get(channelId)
  if (indexed) return { channel: indexed, isDeleted: false }
  const found = await findChannel(app.db, channelId)
  return { channel: found && decodeChannel(app, found), isDeleted: !found }
}

/**
 * Finds the key that a response was made with, a disabled one too: only its account has the response. Undefined where the
 * channel does not have the key any more.
 */
export const storingKeyOf = (channel: Channel, fingerprint: string): ChannelKey | undefined =>
  channel.keys.find(each => each.fingerprint === fingerprint) ??
  channel.storedKeys.find(each => each.fingerprint === fingerprint)
