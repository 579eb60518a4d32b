import { Fault } from '@hub/contract'
import { isObjectId, type ResourceKind, resourceKind, type StoredObject } from '@hub/providers'
import { type App, nowSeconds } from '../core/app.ts'
import * as storedResources from '../db/queries/stored-resources.ts'
import type { AuthenticatedContext } from '../relay/context.ts'
import { sealObject } from '../relay/local-responses/sealed-object.ts'
import type { StorageAccount } from '../relay/upstream/accounts/account-request.ts'

/** The account, and the user for whom it stores an object. */
export type Placement = {
  kind: ResourceKind
  userId: number
  requestId: number
  account: Pick<StorageAccount, 'channel' | 'credential'>
}

export const rowOf = (
  app: App,
  { kind, userId, requestId, account }: Placement,
  object: StoredObject,
): storedResources.StoredResource => ({
  id: object.id,
  kind,
  user_id: userId,
  channel_id: account.channel.id,
  credential: app.seal.fingerprint('channel-key', account.credential),
  request_id: requestId,
  created_at: nowSeconds(app),
  expires_at: expiryOf(kind, object),
  purpose: typeof object.purpose === 'string' ? object.purpose.slice(0, 50) : '',
  size: secondsOf(object.bytes) ?? 0,
  object_sealed: sealObject(app, object),
  run_at: null,
  attempts: 0,
})

const secondsOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null

/** Records the owner of a new object. Its id must be new: a vendor that repeats one would share it between users. */
export const recordOwner = async (
  app: App,
  placement: Placement,
  object: StoredObject,
): Promise<void> => {
  if (await storedResources.save(app.callDb, rowOf(app, placement, object))) return
  throw new Fault('upstream.invalid_response', { detail: `${placement.kind}: a repeated id` })
}

const expiryOf = (kind: string, { expires_at }: StoredObject): number | null =>
  resourceKind(kind).expires ? secondsOf(expires_at) : null

export const updateStored = (app: App, kind: string, object: StoredObject): Promise<void> =>
  storedResources.updateObject(app.callDb, object.id, {
    object_sealed: sealObject(app, object),
    expires_at: expiryOf(kind, object),
  })

/** Replaces the record unless it was changed since it was read. Returns the record as it is now. */
export const replaceStored = async (
  app: App,
  row: storedResources.StoredResource,
  object: StoredObject,
): Promise<storedResources.StoredResource | undefined> => {
  const { kind } = row
  const fields = { object_sealed: sealObject(app, object), expires_at: expiryOf(kind, object) }
  const isReplaced = await storedResources.replaceObject(app.callDb, row, fields)
  return isReplaced ? { ...row, ...fields } : undefined
}

/** Finds an object of the caller by its id. Throws `stored.unknown` for those of others, too. */
export const requireOwned = async (
  app: App,
  { caller }: AuthenticatedContext,
  kind: ResourceKind,
  id: string,
): Promise<storedResources.StoredResource> => {
  const row = isObjectId(id)
    ? await storedResources.findOwned(app.callDb, caller.userId, id)
    : undefined
  if (row?.kind !== kind) throw new Fault('stored.unknown', { hint: `Id: ${id.slice(0, 100)}.` })
  return row
}
