import type { Database } from '../index.ts'

/** Forgets which keys were charged before this moment. */
export const forgetBefore = async (db: Database, before: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
