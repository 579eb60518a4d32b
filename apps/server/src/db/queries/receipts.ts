import { sql } from 'kysely'
import type { Database } from '../index.ts'

/**
 * One charge with its late posting, its shortfall and the task that it is for. A late posting has the negative id of its request, so that all
 * three rows are found by primary key.
 */
export const find = (db: Database, id: number) =>
  db
    .selectFrom('transfers as t')
    .leftJoin('transfers as l', join => join.on('l.id', '=', -id).on('l.kind', '=', 'late'))
    .leftJoin('shortfalls as s', 's.id', 't.id')
    .leftJoin('tasks', 'tasks.id', 't.id')
    .where('t.id', '=', id)
    .where('t.kind', '=', 'request')
    .select([
      't.id',
      't.debit as user_id',
      't.at',
      't.amount',
      't.price_id',
      't.usage',
      'l.at as late_at',
      'l.amount as late_amount',
      'l.price_id as late_price_id',
      'l.usage as late_usage',
      's.amount as shortfall',
      'tasks.public_id as task_id',
    ])
    .executeTakeFirst()

export const findVersion = (db: Database, id: number) =>
  db.selectFrom('price_versions').selectAll().where('id', '=', id).executeTakeFirst()

export const listVersionBodies = (db: Database, ids: number[]) =>
  db.selectFrom('price_versions').select(['id', 'body']).where('id', 'in', ids).execute()

/** A position in the logs, which are ordered by time and id. */
export type LogPosition = { createdAt: number; id: number }

/**
 * The next charges after a position, oldest first, each with its receipt, which may be null. It reads one index range,
 * so that a page costs the same at the first row and at the ten millionth.
 */
export const listChargesAfter = (db: Database, after: LogPosition, until: number, limit: number) =>
  db
    .selectFrom('logs')
    .leftJoin('transfers as t', join =>
      join.onRef('t.id', '=', 'logs.id').on('t.kind', '=', 'request'),
    )
    .leftJoin('transfers as l', join =>
      join.on('l.id', '=', sql<number>`-logs.id`).on('l.kind', '=', 'late'),
    )
    .where(sql<boolean>`(logs.created_at, logs.id) > (${after.createdAt}, ${after.id})`)
    .where('logs.created_at', '<=', until)
    .where('logs.type', '=', 2)
    .orderBy('logs.created_at')
    .orderBy('logs.id')
    .limit(limit)
    .select([
      'logs.id',
      'logs.created_at',
      'logs.quota',
      'logs.metadata',
      sql<number | null>`coalesce(l.price_id, t.price_id)`.as('price_id'),
      sql<string | null>`coalesce(l.usage, t.usage)`.as('usage'),
    ])
    .execute()
