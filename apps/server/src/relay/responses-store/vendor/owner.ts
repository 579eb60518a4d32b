import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import * as vendorResponses from '../../../db/queries/vendor-responses.ts'
import type { Channel } from '../../channels/channel.ts'
import { isResponseId } from '../../response/finalize.ts'

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

const fingerprints = appScoped(() => new WeakMap<Channel, Map<string, string>>())

/** Identifies a credential without revealing any part of it. */
export const fingerprintOf = (app: App, channel: Channel, credential: string): string => {
  const known = fingerprints(app).get(channel) ?? new Map<string, string>()
  fingerprints(app).set(channel, known)
  const fingerprint = known.get(credential) ?? app.seal.fingerprint('channel-key', credential)
  known.set(credential, fingerprint)
  return fingerprint
}

/** Finds the credential that a response was made with; undefined where the channel does not have it any more. */
export const credentialOf = (app: App, channel: Channel, fingerprint: string): string | undefined =>
  channel.credentials.find(each => fingerprintOf(app, channel, each) === fingerprint)
