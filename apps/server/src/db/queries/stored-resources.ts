import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { StoredResourcesTable } from '../tables/responses.ts'

export type StoredResource = StoredResourcesTable

/** Finds an object of this user; the objects of others do not exist for it. */
export const findOwned = (
  db: Database,
  userId: number,
  id: string,
): Promise<StoredResource | undefined> =>
  db
    .selectFrom('stored_resources')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Finds all of these objects that belong to the user. */
export const listOwned = (
  db: Database,
  userId: number,
  ids: readonly string[],
): Promise<StoredResource[]> =>
  db
    .selectFrom('stored_resources')
    .selectAll()
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .execute()

/** The object that the user created last at one of these channels. */
export const findLatest = (
  db: Database,
  userId: number,
  channelIds: readonly number[],
): Promise<StoredResource | undefined> =>
  db
    .selectFrom('stored_resources')
    .selectAll()
    .where('user_id', '=', userId)
    .where('channel_id', 'in', channelIds)
    .orderBy('created_at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Inserts the object or updates that of the same owner. Returns false where it belongs to another user. */
export const save = async (db: Database, row: StoredResource): Promise<boolean> => {
  const { object_sealed, expires_at, size } = row
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('stored_resources')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet({ object_sealed, expires_at, size })
        .where('stored_resources.user_id', '=', row.user_id)
        .where('stored_resources.channel_id', '=', row.channel_id)
        .where('stored_resources.kind', '=', row.kind),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const updateObject = async (
  db: Database,
  id: string,
  fields: Pick<StoredResource, 'object_sealed' | 'expires_at'>,
): Promise<void> => {
  await db.updateTable('stored_resources').set(fields).where('id', '=', id).execute()
}

/** Replaces the object unless it was changed since it was read. Returns whether it was replaced. */
export const replaceObject = async (
  db: Database,
  { id, object_sealed: before }: Pick<StoredResource, 'id' | 'object_sealed'>,
  fields: Pick<StoredResource, 'object_sealed' | 'expires_at'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('stored_resources')
    .set(fields)
    .where('id', '=', id)
    .where('object_sealed', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const remove = async (db: Database, id: string): Promise<void> => {
  await db.deleteFrom('stored_resources').where('id', '=', id).execute()
}

export type ListCriteria = {
  userId: number
  kind: string
  purpose: string | undefined
  order: 'asc' | 'desc'
  /** The id behind which the page begins. */
  after: StoredResource | undefined
  limit: number
  /** Seconds; what expired before is left out. */
  now: number
}

/** One page of a user's objects, by the time of their creation. */
export const list = (
  db: Database,
  { userId, kind, purpose, order, after, limit, now }: ListCriteria,
): Promise<StoredResource[]> => {
  const sign = order === 'asc' ? '>' : '<'
  let query = db
    .selectFrom('stored_resources')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where(live => live.or([live('expires_at', 'is', null), live('expires_at', '>', now)]))
  if (purpose !== undefined) query = query.where('purpose', '=', purpose)
  if (after)
    query = query.where(each =>
      each.or([
        each('created_at', sign, after.created_at),
        each.and([
          each('created_at', '=', after.created_at),
          each('request_id', sign, after.request_id),
        ]),
      ]),
    )
  return query.orderBy('created_at', order).orderBy('request_id', order).limit(limit).execute()
}

/** Number and bytes of the objects that a user stores. */
export const usageOf = async (
  db: Database,
  userId: number,
): Promise<{ count: number; bytes: number }> => {
  const row = await db
    .selectFrom('stored_resources')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum<number | string>('size').as('bytes')])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
}

const chunkRows = 500

/** Deletes rows of objects that the vendor deleted at their expiry, in chunks, so that other writers do not wait long. */
export const removeExpired = async (db: Database, before: number): Promise<number> => {
  for (let removed = 0; ; ) {
    const { numDeletedRows } = await db
      .deleteFrom('stored_resources')
      .where('id', 'in', old =>
        old
          .selectFrom('stored_resources as old')
          .select('old.id')
          .where('old.expires_at', '<', before)
          .where('old.run_at', 'is', null)
          .limit(chunkRows),
      )
      .executeTakeFirst()
    removed += Number(numDeletedRows)
    if (numDeletedRows < BigInt(chunkRows)) return removed
  }
}

/** Read-only check before `lease`: usually no batch is due. */
export const isDue = async (db: Database, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('stored_resources')
    .select('id')
    .where('run_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Leases the batch that is due longest. Until `leaseEnds` no other node receives it. */
export const lease = (
  db: Database,
  now: number,
  leaseEnds: number,
): Promise<StoredResource | undefined> =>
  db
    .updateTable('stored_resources')
    .set({ run_at: leaseEnds, attempts: sql<number>`attempts + 1` })
    .where('id', '=', due =>
      due
        .selectFrom('stored_resources as due')
        .select('due.id')
        .where('due.run_at', '<=', now)
        .orderBy('due.run_at')
        .orderBy('due.id')
        .limit(1),
    )
    .where('run_at', '<=', now)
    .returningAll()
    .executeTakeFirst()

/** Sets the next poll, unless the batch was charged since, or another node has leased it. */
export const putBack = async (
  db: Database,
  { id, attempts }: Pick<StoredResource, 'id' | 'attempts'>,
  runAt: number,
): Promise<void> => {
  await db
    .updateTable('stored_resources')
    .set({ run_at: runAt })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('run_at', 'is not', null)
    .execute()
}

/** Marks a batch as charged: its results may be read. */
export const endPolling = async (db: Database, id: string): Promise<void> => {
  await db.updateTable('stored_resources').set({ run_at: null }).where('id', '=', id).execute()
}
