import type { Database } from '../index.ts'
import type { StoredImagesTable } from '../tables/tasks.ts'

export const add = async (db: Database, image: StoredImagesTable): Promise<void> => {
  await db.insertInto('stored_images').values(image).execute()
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

/** Images whose time is over, in an order that pages them. */
export const listExpired = (
  db: Database,
  { now, limit, after }: ExpiredCriteria,
): Promise<StoredImagesTable[]> =>
  db
    .selectFrom('stored_images')
    .selectAll()
    .where('expires_at', '<=', now)
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute()

export const remove = async (db: Database, name: string): Promise<void> => {
  await db.deleteFrom('stored_images').where('name', '=', name).execute()
}
