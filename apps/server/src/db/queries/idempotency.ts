import type { Database } from '../index.ts'

/** Deletes keys that were used before this time. */
export const removeBefore = async (db: Database, before: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
