import { sql } from 'kysely'
import type { Database } from '../index.ts'

// Called once for each row, in the transaction of an import. The auditor subtracts these counters from the stored ones.

const record = (db: Database, owner: string, used: number, requests: number) =>
  db.insertInto('imported_counters').values({ owner, used, requests }).execute()

/** Points and requests that the user had used before the import. */
export const addUser = async (
  db: Database,
  userId: number,
  { used, requests }: { used: number; requests: number },
): Promise<void> => {
  if (used === 0 && requests === 0) return
  await record(db, `user:${userId}`, used, requests)
  await db
    .updateTable('accounts')
    .set({ used: sql<number>`used + ${used}`, requests: sql<number>`requests + ${requests}` })
    .where('user_id', '=', userId)
    .execute()
}

/** Points that the key had used, and the second of its last call. Its cap rises by as much, so that the rest stays. */
export const addToken = async (
  db: Database,
  tokenId: number,
  { used, lastUsedAt }: { used: number; lastUsedAt: number },
): Promise<void> => {
  if (used > 0) await record(db, `token:${tokenId}`, used, 0)
  await db
    .updateTable('token_spend')
    .set({
      used: sql<number>`used + ${used}`,
      cap: sql<number | null>`cap + ${used}`,
      last_used_at: lastUsedAt,
    })
    .where('token_id', '=', tokenId)
    .execute()
}

export const addChannel = async (db: Database, channelId: number, used: number): Promise<void> => {
  if (used === 0) return
  await record(db, `channel:${channelId}`, used, 0)
  const row = { channel_id: channelId, epoch: 0, used, n: 0 }
  await db.insertInto('channel_used').values(row).execute()
}
