import type { Database } from '../index.ts'
import { changedOne } from './rows.ts'

export const find = (db: Database, userId: number) =>
  db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const isEnabled = async (db: Database, userId: number): Promise<boolean> =>
  ((await find(db, userId))?.enabled_at ?? null) !== null

/** Writes a secret that is not confirmed yet. False: a confirmed one exists. */
export const setUp = async (db: Database, userId: number, secret_sealed: string) => {
  const row = await db
    .insertInto('second_factors')
    .values({ user_id: userId, secret_sealed, last_step: 0, enabled_at: null })
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret_sealed, last_step: 0 })
        .where('second_factors.enabled_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False: it is enabled already, or was set up anew in the meantime. */
export const enable = (
  db: Database,
  userId: number,
  { secret_sealed, last_step, now }: { secret_sealed: string; last_step: number; now: number },
) =>
  changedOne(
    db
      .updateTable('second_factors')
      .set({ enabled_at: now, last_step })
      .where('user_id', '=', userId)
      .where('secret_sealed', '=', secret_sealed)
      .where('enabled_at', 'is', null),
  )

/** False: this or a later step was used already. */
export const useStep = (db: Database, userId: number, step: number) =>
  changedOne(
    db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step),
  )

export const remove = async (db: Database, userId: number): Promise<void> => {
  await db.deleteFrom('backup_codes').where('user_id', '=', userId).execute()
  await db.deleteFrom('second_factors').where('user_id', '=', userId).execute()
}

export const replaceBackupCodes = async (
  db: Database,
  user_id: number,
  hashes: readonly string[],
): Promise<void> => {
  await db.deleteFrom('backup_codes').where('user_id', '=', user_id).execute()
  await db
    .insertInto('backup_codes')
    .values(hashes.map(code_hash => ({ user_id, code_hash })))
    .execute()
}

/** False: there is no such code, or it was used. */
export const useBackupCode = async (
  db: Database,
  userId: number,
  codeHash: string,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('backup_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const countBackupCodes = async (db: Database, userId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('backup_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
