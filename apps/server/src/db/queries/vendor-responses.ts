import type { Database } from '../index.ts'
import type { StoredAnswersTable } from '../tables/responses.ts'

/** The user and the vendor account of a stored response. Contents of local responses are read elsewhere. */
export type ResponseOwner = Omit<StoredAnswersTable, 'previous' | 'content_sealed'>

const columns = [
  'id',
  'user_id',
  'channel_id',
  'credential',
  'request_id',
  'created_at',
  'size',
  'is_running',
] as const

export const find = (db: Database, id: string): Promise<ResponseOwner | undefined> =>
  db.selectFrom('stored_answers').select(columns).where('id', '=', id).executeTakeFirst()

/** Finds those of these responses, items and containers that a vendor stores for the user. */
export const listOwned = (
  db: Database,
  userId: number,
  ids: readonly string[],
): Promise<Pick<ResponseOwner, 'id' | 'channel_id' | 'credential'>[]> =>
  db
    .selectFrom('stored_answers')
    .select(['id', 'channel_id', 'credential'])
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .where('size', 'is', null)
    .execute()

/** Records the owner. The first owner stays, even if a vendor returns one id twice. */
export const add = (db: Database, row: NewResponse): Promise<void> => addAll(db, [row])

type NewResponse = Omit<ResponseOwner, 'size' | 'is_running'>

/** As `add`, for several responses or parts of one. */
export const addAll = async (db: Database, rows: readonly NewResponse[]): Promise<void> => {
  if (rows.length === 0) return
  await db
    .insertInto('stored_answers')
    .values(rows)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

export const remove = async (db: Database, id: string): Promise<void> => {
  await db.deleteFrom('stored_answers').where('id', '=', id).execute()
}

const chunkRows = 500

/** Deletes old rows of vendor responses in chunks, so that other writers do not wait long. */
export const removeBefore = async (db: Database, before: number): Promise<number> => {
  for (let removed = 0; ; ) {
    const { numDeletedRows } = await db
      .deleteFrom('stored_answers')
      .where('id', 'in', old =>
        old
          .selectFrom('stored_answers as old')
          .select('old.id')
          .where('old.created_at', '<', before)
          .where('old.size', 'is', null)
          .limit(chunkRows),
      )
      .executeTakeFirst()
    removed += Number(numDeletedRows)
    if (numDeletedRows < BigInt(chunkRows)) return removed
  }
}
