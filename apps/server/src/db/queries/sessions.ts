import type { Insertable } from 'kysely'
import type { Database } from '../index.ts'
import type { SessionsTable } from '../tables/users.ts'

const day = 86_400

/** A session ends after 7 days without a request, and at the latest 30 days after sign-in. */
export const idleSecondsMax = 7 * day
export const sessionSecondsMax = 30 * day
/** More than a person has. */
const listedMax = 200

export const start = async (db: Database, session: Insertable<SessionsTable>): Promise<void> => {
  await db.insertInto('sessions').values(session).execute()
}

/** The session with its user, unless it is expired, idle for too long, or the user is deleted. */
export const findActive = (db: Database, idHash: string, now: number, seenAfter: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', seenAfter)
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id',
      'users.username',
      'users.role',
      'users.status',
      'users.group',
      'users.must_change_password',
      'sessions.last_seen_at',
      'sessions.proved_at',
    ])
    .executeTakeFirst()

/** The time of sign-in, in seconds. */
export const findStart = async (db: Database, idHash: string): Promise<number | undefined> =>
  (
    await db
      .selectFrom('sessions')
      .select('created_at')
      .where('id_hash', '=', idHash)
      .executeTakeFirst()
  )?.created_at

/** The sessions that still admit their user, the latest first. */
export const listActive = (db: Database, userId: number, now: number) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - idleSecondsMax)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(listedMax)
    .execute()

export const updateLastSeen = async (db: Database, idHash: string, now: number): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id_hash', '=', idHash)
    .execute()
}

/** Records a fresh proof of the user in their own session. */
export const updateProvedAt = async (
  db: Database,
  { userId, idHash }: { userId: number; idHash: string },
  now: number,
): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ proved_at: now })
    .where('id_hash', '=', idHash)
    .where('user_id', '=', userId)
    .execute()
}

export const end = async (db: Database, idHash: string): Promise<void> => {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
}

export const endAllOfUser = async (db: Database, userId: number): Promise<void> => {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

export const endAllOfUserExcept = async (
  db: Database,
  userId: number,
  idHash: string,
): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id_hash', '<>', idHash)
    .execute()
}

/** Deletes expired and idle sessions. */
export const endStale = async (db: Database, now: number, seenAfter: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where(where =>
      where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', seenAfter)]),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
