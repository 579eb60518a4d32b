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
    .where(sql<boolean>`accounts.balance >= coalesce(reminders.threshold, ${threshold})`)
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
 * Users who can be reached, whose balance fell below the threshold or to zero and who are not notified yet. Users
 * who never had the threshold, or spent nothing, have not crossed it.
 */
export const listBelowThreshold = (
  db: Database,
  { threshold, highest, canMail }: { threshold: number; highest: number; canMail: boolean },
  limit: number,
) =>
  db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .leftJoin('reminders', 'reminders.user_id', 'accounts.user_id')
    .where('accounts.balance', '<', highest)
    .where(sql<boolean>`accounts.balance < coalesce(reminders.threshold, ${threshold})`)
    .where('accounts.used', '>', 0)
    .where(
      sql<boolean>`accounts.balance + accounts.used >= coalesce(reminders.threshold, ${threshold})`,
    )
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        ...(canMail ? [eb('users.email', '<>', '')] : []),
        exists(
          selectFrom('notification_targets')
            .select('notification_targets.id')
            .whereRef('notification_targets.user_id', '=', 'users.id')
            .where('notification_targets.enabled', '=', 1),
        ),
      ]),
    )
    .where('users.status', '=', 1)
    .where('users.deleted_at', 'is', null)
    .where(
      sql<boolean>`coalesce(reminders.notified_level, 0) <
        case when accounts.balance = 0 then ${sql.lit(usedUpLevel)} else ${sql.lit(lowLevel)} end`,
    )
    .select(['users.id', 'users.email', 'users.username', 'users.display_name', 'accounts.balance'])
    .limit(limit)
    .execute()

/** The highest threshold that a user has set. */
export const findHighestThreshold = async (db: Database): Promise<number> => {
  const row = await db
    .selectFrom('reminders')
    .select(eb => eb.fn.max('threshold').as('highest'))
    .executeTakeFirst()
  return row?.highest ?? 0
}

/** Points below which the user is told; null: as the site sets it. */
export const findThreshold = async (db: Database, userId: number): Promise<number | null> => {
  const row = await db
    .selectFrom('reminders')
    .select('threshold')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.threshold ?? null
}

export const setThreshold = async (
  db: Database,
  userId: number,
  threshold: number | null,
): Promise<void> => {
  await db
    .insertInto('reminders')
    .values({ user_id: userId, notified_level: 0, crossing: 0, threshold })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ threshold }))
    .execute()
}

/** Records the notification. Returns the number of the crossing, or nothing if another node was faster. */
export const claim = (db: Database, userId: number, level: number) =>
  db
    .insertInto('reminders')
    .values({ user_id: userId, notified_level: level, crossing: 0, threshold: null })
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet({ notified_level: level })
        .where('reminders.notified_level', '<', level),
    )
    .returning('crossing')
    .executeTakeFirst()
