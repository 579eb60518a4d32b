import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { OneTimeCodesTable } from '../tables/sign-in.ts'

/** Replaces the code of the same id. */
export const write = async (
  db: Database,
  row: Omit<OneTimeCodesTable, 'attempts'>,
): Promise<void> => {
  const { code_hash, payload_sealed, expires_at } = row
  await db
    .insertInto('one_time_codes')
    .values({ ...row, attempts: 0 })
    .onConflict(conflict =>
      conflict
        .column('id_hash')
        .doUpdateSet({ code_hash, payload_sealed, expires_at, attempts: 0 }),
    )
    .execute()
}

/** False: there is a row of the same id that has not expired. */
export const writeIfAbsent = async (
  db: Database,
  row: Omit<OneTimeCodesTable, 'attempts'>,
  now: number,
): Promise<boolean> => {
  const written = await db
    .insertInto('one_time_codes')
    .values({ ...row, attempts: 0 })
    .onConflict(conflict =>
      conflict
        .column('id_hash')
        .doUpdateSet({ expires_at: row.expires_at })
        .where('one_time_codes.expires_at', '<=', now),
    )
    .returning('id_hash')
    .executeTakeFirst()
  return written !== undefined
}

/** Counts an attempt. Undefined: there is no such code, it has expired, or all attempts are used. */
export const countAttempt = async (
  db: Database,
  idHash: string,
  now: number,
  attemptsMax: number,
): Promise<{ code_hash: string; payload_sealed: string } | undefined> =>
  db
    .updateTable('one_time_codes')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', now)
    .where('attempts', '<', attemptsMax)
    .returning(['code_hash', 'payload_sealed'])
    .executeTakeFirst()

/** Deletes the code and returns its payload: of all callers at once, one gets it. */
export const take = async (
  db: Database,
  idHash: string,
  codeHash: string,
  now: number,
): Promise<string | undefined> => {
  const row = await db
    .deleteFrom('one_time_codes')
    .where('id_hash', '=', idHash)
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .returning('payload_sealed')
    .executeTakeFirst()
  return row?.payload_sealed
}

export const removeExpired = async (db: Database, now: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_codes')
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
