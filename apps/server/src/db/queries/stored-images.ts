import type { Database } from '../index.ts'
import type { StoredImagesTable } from '../tables/tasks.ts'
import { changedOne } from './rows.ts'

export const add = async (db: Database, image: StoredImagesTable): Promise<void> => {
  await db.insertInto('stored_images').values(image).execute()
}

/** Records where and until when an image was saved. False: it has expired meanwhile, or its row is gone. */
export const setSaved = (
  db: Database,
  { name, now }: { name: string; now: number },
  saved: Pick<StoredImagesTable, 'size' | 'location' | 'expires_at'>,
): Promise<boolean> =>
  changedOne(
    db
      .updateTable('stored_images')
      .set(saved)
      .where('name', '=', name)
      .where('expires_at', '>', now),
  )

/** Bytes of all images of this user that have not expired. */
export const bytesOf = async (
  db: Database,
  { userId, now }: { userId: number; now: number },
): Promise<number> => {
  const row = await db
    .selectFrom('stored_images')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** Ends an image before its time, so that the job deletes its file. */
export const expire = async (db: Database, name: string): Promise<void> => {
  await db.updateTable('stored_images').set({ expires_at: 0 }).where('name', '=', name).execute()
}

/** Ends all images of a user, so that the job deletes their files. */
export const expireAllOfUser = async (db: Database, userId: number): Promise<void> => {
  await db
    .updateTable('stored_images')
    .set({ expires_at: 0 })
    .where('user_id', '=', userId)
    .execute()
}

export const find = (
  db: Database,
  { name, now }: { name: string; now: number },
): Promise<StoredImagesTable | undefined> =>
  db
    .selectFrom('stored_images')
    .selectAll()
    .where('name', '=', name)
    .where('expires_at', '>', now)
    .executeTakeFirst()

type ExpiredCriteria = {
  now: number
  limit: number
  /** The name behind which the page begins. */
  after: string
}

/** Images whose time is over or whose user is deleted, in an order that pages them. */
export const listExpired = (
  db: Database,
  { now, limit, after }: ExpiredCriteria,
): Promise<StoredImagesTable[]> =>
  db
    .selectFrom('stored_images')
    .selectAll()
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('expires_at', '<=', now),
        eb('user_id', 'in', selectFrom('users').select('id').where('deleted_at', 'is not', null)),
      ]),
    )
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute()

export const remove = async (db: Database, name: string): Promise<void> => {
  await db.deleteFrom('stored_images').where('name', '=', name).execute()
}
