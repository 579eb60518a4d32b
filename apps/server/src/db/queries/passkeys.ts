import { type Insertable, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { PasskeysTable } from '../tables/sign-in.ts'
import { changedOne } from './rows.ts'

export const listOfUser = (db: Database, userId: number) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()

export const findByCredential = (db: Database, credentialId: string) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

/** Returns the id, or undefined if an account has the credential already. */
export const insertIfFree = async (
  db: Database,
  row: Insertable<PasskeysTable>,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('passkeys')
      .values(row)
      .onConflict(conflict => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

type Use = { counter: number; backedUp: boolean; now: number }

/** False: an answer with this or a later counter was accepted already. A counter that is always 0 never grows. */
export const recordUse = (db: Database, id: number, { counter, backedUp, now }: Use) =>
  changedOne(
    db
      .updateTable('passkeys')
      .set({ counter, backed_up: backedUp ? 1 : 0, last_used_time: now })
      .where('id', '=', id)
      .where(where =>
        where.or([
          where('counter', '<', counter),
          where.and([where('counter', '=', 0), where(sql<number>`${counter}`, '=', 0)]),
        ]),
      ),
  )

export const rename = (
  db: Database,
  { id, userId, name }: { id: number; userId: number; name: string },
) =>
  changedOne(
    db.updateTable('passkeys').set({ name }).where('id', '=', id).where('user_id', '=', userId),
  )

export const remove = async (db: Database, id: number, userId: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Returns how many there were. */
export const removeAllOfUser = async (db: Database, userId: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
