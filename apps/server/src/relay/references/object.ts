import { Fault } from '@hub/contract'
import type { ResourceKind } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import type { AuthenticatedContext } from '../context.ts'
import type { StorageAccount } from '../upstream/accounts/account-request.ts'

/** An object of a vendor's collection. */
export type StoredObject = Record<string, unknown> & { id: string }

/** An id of a vendor, or a name with its collection: `files/abc`. */
const idPattern = /^(?:(?:files|cachedContents)\/)?\w[\w.:-]{0,199}$/

const isObjectId = (text: string): boolean => idPattern.test(text)

const contextOf = (id: string) => `stored_resources.object_sealed:${id}`

export const sealObject = (app: App, object: StoredObject): string =>
  app.seal.seal('stored-object', contextOf(object.id), JSON.stringify(object))

export const openObject = (app: App, { id, object_sealed }: storedResources.StoredResource) =>
  JSON.parse(app.seal.open('stored-object', contextOf(id), object_sealed)) as StoredObject

/** Reads an object with a usable id out of a vendor's answer; undefined where it is none. */
export const readObject = (body: Buffer): StoredObject | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is StoredObject =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  isObjectId(value.id)

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

/** Kinds whose objects end. The end of a batch is that of its time to run. */
const expiringKinds: ReadonlySet<string> = new Set([
  ...['files', 'uploads', 'gemini-files', 'cached-contents'],
])

const expiryOf = (kind: string, { expires_at }: StoredObject): number | null =>
  expiringKinds.has(kind) ? secondsOf(expires_at) : null

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
