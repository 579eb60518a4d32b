import type { App } from '../../core/app.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { isResponseId } from '../response/finalize.ts'

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

/**
 * Finds the key that a response was made with, a disabled one too: only its account has the response. Undefined where the
 * channel does not have the key any more.
 */
export const storingKeyOf = (channel: Channel, fingerprint: string): ChannelKey | undefined =>
  channel.keys.find(each => each.fingerprint === fingerprint) ??
  channel.storedKeys.find(each => each.fingerprint === fingerprint)
