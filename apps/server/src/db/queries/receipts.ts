import { sql } from 'kysely'
import type { Database } from '../index.ts'

/**
 * One charge with what came late and what could not be taken. The row of a late posting has the request's id with a
 * minus, so that each of the three is found by its key.
 */
export const find = (db: Database, id: number) =>
  db
    .selectFrom('transfers as t')
    .leftJoin('transfers as l', join => join.on('l.id', '=', -id).on('l.kind', '=', 'late'))
    .leftJoin('shortfalls as s', 's.id', 't.id')
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
    ])
    .executeTakeFirst()

export const findVersion = (db: Database, id: number) =>
  db.selectFrom('price_versions').selectAll().where('id', '=', id).executeTakeFirst()

export const versionBodies = (db: Database, ids: number[]) =>
  db.selectFrom('price_versions').select(['id', 'body']).where('id', 'in', ids).execute()

/** A place in the logs: the rows behind it are later, or equally late with a larger id. */
export type Place = { createdAt: number; id: number }

/**
 * The next charges after a place, oldest first, each with its receipt; null where there is none. One range of one
 * index: a page costs the same at the first row and at the ten millionth.
 */
export const chargesAfter = (db: Database, place: Place, until: number, limit: number) =>
  db
    .selectFrom('logs')
    .leftJoin('transfers as t', join =>
      join.onRef('t.id', '=', 'logs.id').on('t.kind', '=', 'request'),
    )
    .leftJoin('transfers as l', join =>
      join.on('l.id', '=', sql<number>`-logs.id`).on('l.kind', '=', 'late'),
    )
    .where(sql<boolean>`(logs.created_at, logs.id) > (${place.createdAt}, ${place.id})`)
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
