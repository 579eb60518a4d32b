import { sql } from 'kysely'
import type { Database } from '../index.ts'

export const low = 1
export const usedUp = 2

/** Whoever was told and has enough again: they will be told again when it ends. */
export const rearm = async (db: Database, threshold: number): Promise<void> => {
  const enough = await db
    .selectFrom('reminders')
    .innerJoin('accounts', 'accounts.user_id', 'reminders.user_id')
    .select('reminders.user_id')
    .where('reminders.told', '>', 0)
    .where('accounts.balance', '>=', threshold)
    .execute()
  for (const { user_id } of enough)
    await db
      .updateTable('reminders')
      .set({ told: 0, crossing: sql<number>`crossing + 1` })
      .where('user_id', '=', user_id)
      .where('told', '>', 0)
      .execute()
}

/**
 * Users with an address whose balance fell below the threshold, or to nothing, and who were not told of it. Who never
 * had as much as the threshold, or spent nothing, has not crossed it.
 */
export const listCrossed = (db: Database, threshold: number, limit: number) =>
  db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .leftJoin('reminders', 'reminders.user_id', 'accounts.user_id')
    .where('accounts.balance', '<', threshold)
    .where('accounts.used', '>', 0)
    .where(sql<boolean>`accounts.balance + accounts.used >= ${threshold}`)
    .where('users.email', '<>', '')
    .where('users.status', '=', 1)
    .where('users.deleted_at', 'is', null)
    .where(
      sql<boolean>`coalesce(reminders.told, 0) < case when accounts.balance = 0 then ${sql.lit(usedUp)} else ${sql.lit(low)} end`,
    )
    .select(['users.id', 'users.email', 'users.username', 'users.display_name', 'accounts.balance'])
    .limit(limit)
    .execute()

/** Writes down that a user is told; which crossing it is of, or nothing where another node was faster. */
export const claim = (db: Database, userId: number, told: number) =>
  db
    .insertInto('reminders')
    .values({ user_id: userId, told, crossing: 0 })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet({ told }).where('reminders.told', '<', told),
    )
    .returning('crossing')
    .executeTakeFirst()
