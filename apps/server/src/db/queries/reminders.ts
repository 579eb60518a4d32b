import { sql } from 'kysely'
import type { Database } from '../index.ts'

export const lowLevel = 1
export const usedUpLevel = 2

/** Resets users whose balance has recovered, so that the next crossing notifies them again. */
export const rearm = async (db: Database, threshold: number): Promise<void> => {
  const recovered = await db
    .selectFrom('reminders')
    .innerJoin('accounts', 'accounts.user_id', 'reminders.user_id')
    .select('reminders.user_id')
    .where('reminders.notified_level', '>', 0)
    .where('accounts.balance', '>=', threshold)
    .execute()
  for (const { user_id } of recovered)
    await db
      .updateTable('reminders')
      .set({ notified_level: 0, crossing: sql<number>`crossing + 1` })
      .where('user_id', '=', user_id)
      .where('notified_level', '>', 0)
      .execute()
}

/**
 * Users with an email address whose balance fell below the threshold or to zero and who are not notified yet. Users
 * who never had the threshold, or spent nothing, have not crossed it.
 */
export const listBelowThreshold = (db: Database, threshold: number, limit: number) =>
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
      sql<boolean>`coalesce(reminders.notified_level, 0) <
        case when accounts.balance = 0 then ${sql.lit(usedUpLevel)} else ${sql.lit(lowLevel)} end`,
    )
    .select(['users.id', 'users.email', 'users.username', 'users.display_name', 'accounts.balance'])
    .limit(limit)
    .execute()

/** Records the notification. Returns the number of the crossing, or nothing if another node was faster. */
export const claim = (db: Database, userId: number, level: number) =>
  db
    .insertInto('reminders')
    .values({ user_id: userId, notified_level: level, crossing: 0 })
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet({ notified_level: level })
        .where('reminders.notified_level', '<', level),
    )
    .returning('crossing')
    .executeTakeFirst()
