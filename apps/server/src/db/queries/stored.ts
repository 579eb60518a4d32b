import type { Database } from '../index.ts'
import type { StoredAnswersTable } from '../tables/stored.ts'

/** Who keeps it, and for whom; what is kept here is read elsewhere. */
export type Holder = Omit<StoredAnswersTable, 'previous' | 'content_sealed'>

const columns = [
  'id',
  'user_id',
  'channel_id',
  'credential',
  'request_id',
  'created_at',
  'size',
] as const

export const find = (db: Database, id: string): Promise<Holder | undefined> =>
  db.selectFrom('stored_answers').select(columns).where('id', '=', id).executeTakeFirst()

/** Whoever was first keeps it: a vendor that gives one id twice gives it to nobody else. */
export const add = async (db: Database, row: Omit<Holder, 'size'>): Promise<void> => {
  await db
    .insertInto('stored_answers')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

export const remove = async (db: Database, id: string): Promise<void> => {
  await db.deleteFrom('stored_answers').where('id', '=', id).execute()
}

const sliceRows = 500

/** Forgets what vendors kept and is older, slice by slice, so that nobody waits long for it. */
export const forgetBefore = async (db: Database, before: number): Promise<number> => {
  for (let forgotten = 0; ; ) {
    const { numDeletedRows } = await db
      .deleteFrom('stored_answers')
      .where('id', 'in', old =>
        old
          .selectFrom('stored_answers as old')
          .select('old.id')
          .where('old.created_at', '<', before)
          .where('old.size', 'is', null)
          .limit(sliceRows),
      )
      .executeTakeFirst()
    forgotten += Number(numDeletedRows)
    if (numDeletedRows < BigInt(sliceRows)) return forgotten
  }
}
