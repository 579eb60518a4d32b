import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { readTokens, writtenTokens } from './cached-tokens.ts'

/** The condition and the expression of the indexes, which both engines use only for exactly this text. */
export const hasSession = sql<boolean>`metadata like '%"session":"%'`
export const sessionKey = sql<string>`json_extract(metadata, '$.session')`

/** A place in the order from the newest to the oldest row. */
export type Position = { created_at: number; id: number }

/** A session at the newest of its rows before a position. */
export type SessionRow = Position & { user_id: number; username: string; session: string }

/** Lists the newest rows of sessions before a position. */
export const listSessionRows = (
  db: Database,
  {
    userId,
    before,
    limit,
  }: { userId?: number | undefined; before?: Position | undefined; limit: number },
): Promise<SessionRow[]> =>
  db
    .selectFrom('logs')
    .where(hasSession)
    .$if(userId !== undefined, rows => rows.where('user_id', '=', userId!))
    .$if(before !== undefined, rows =>
      rows.where(sql<boolean>`(created_at, id) < (${before!.created_at}, ${before!.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .select(['user_id', 'username', 'created_at', 'id', sessionKey.as('session')])
    .execute()

export type OneSession = { userId: number; session: string }

/** A session of one user, or of each user who has the key. */
export type SessionOf = {
  session: string
  userId?: number | undefined
  /** The name that a row was written with. */
  username?: string | undefined
}

/** Rows of one session, or of all. */
export const ofSession = (db: Database, of?: SessionOf) =>
  db
    .selectFrom('logs')
    .where(hasSession)
    .$if(of !== undefined, rows => rows.where(sql<boolean>`${sessionKey} = ${of!.session}`))
    .$if(of?.userId !== undefined, rows => rows.where('user_id', '=', of!.userId!))
    .$if(of?.username !== undefined, rows => rows.where('username', '=', of!.username!))

/** Whether a session has a row at a position or after it. */
export const hasRowSince = async (
  db: Database,
  session: OneSession,
  { created_at, id }: Position,
): Promise<boolean> => {
  const row = await ofSession(db, session)
    .where(sql<boolean>`(created_at, id) >= (${created_at}, ${id})`)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sums the newest rows of a session, at most `limit`, by model and type. */
export const sumSession = async (db: Database, session: OneSession, limit: number) => {
  const newest = ofSession(db, session)
    .select(['model_name', 'type', 'quota', 'prompt_tokens', 'completion_tokens'])
    .select(['request_time', 'created_at', readTokens.as('read'), writtenTokens.as('written')])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const sum = (column: string) => sql<number | string>`sum(${sql.ref(column)})`
  const rows = await db
    .selectFrom(newest.as('rows'))
    .groupBy(['model_name', 'type'])
    .select(['model_name', 'type', sql<number | string>`count(*)`.as('rows')])
    .select([sum('quota').as('quota'), sum('request_time').as('request_time')])
    .select([sum('prompt_tokens').as('input'), sum('completion_tokens').as('output')])
    .select([sum('read').as('read'), sum('written').as('written')])
    .select(sql<number | string>`min(created_at)`.as('first'))
    .select(sql<number | string>`max(created_at)`.as('last'))
    .execute()
  return rows.map(row => ({
    model: row.model_name,
    type: row.type,
    rows: Number(row.rows),
    quota: Number(row.quota),
    requestTime: Number(row.request_time),
    input: Number(row.input),
    output: Number(row.output),
    read: Number(row.read),
    written: Number(row.written),
    first: Number(row.first),
    last: Number(row.last),
  }))
}
