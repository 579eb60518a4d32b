import type { Log } from '@hub/contract'
import { type Insertable, sql } from 'kysely'
import { withDeadline } from '../engines/deadline.ts'
import type { Database } from '../index.ts'
import type { LogsTable } from '../tables/logs-audit.ts'
import { chunks } from './chunks.ts'
import { type LogFilter, matching } from './log-filter.ts'
import type { LogRow } from './log-page.ts'

/** The points that matching log rows charged. Reads each of them. */
export const sumCharged = async (db: Database, filter: LogFilter): Promise<number> => {
  const { quota } = await withDeadline(db, limited =>
    matching(limited, { ...filter, log_type: 2 })
      .select(sql<number | string>`coalesce(sum(logs.quota), 0)`.as('quota'))
      .executeTakeFirstOrThrow(),
  )
  return Number(quota)
}

/** One row, with the name of its channel. */
export const find = (db: Database, id: number): Promise<LogRow | undefined> =>
  db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .selectAll('logs')
    .select('channels.name as channel_name')
    .where('logs.id', '=', id)
    .executeTakeFirst()

export const sumUsageSince = async (db: Database, userId: number, since: number) => {
  const { calls, tokens } = await db
    .selectFrom('logs')
    .select([
      sql<number | string>`count(*)`.as('calls'),
      sql<number | string>`coalesce(sum(prompt_tokens + completion_tokens), 0)`.as('tokens'),
    ])
    .where('user_id', '=', userId)
    .where('type', '=', 2)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return { calls: Number(calls), tokens: Number(tokens) }
}

/** Column values of a log row that belongs to no call. */
export const emptyCallColumns = {
  token_name: '',
  model_name: '',
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_time: 0,
  is_stream: 0,
  metadata: '{}',
}

export const insert = async (db: Database, log: Insertable<LogsTable>): Promise<void> => {
  await db.insertInto('logs').values(log).execute()
}

/** Writes rows of another gateway's history. */
export const insertImported = async (
  db: Database,
  rows: readonly Insertable<LogsTable>[],
): Promise<void> => {
  for (const part of chunks(rows)) await db.insertInto('logs').values(part).execute()
}

/** The number of imported rows, and the sum of their points. */
export const sumImported = async (db: Database) => {
  const { rows, points } = await db
    .selectFrom('logs')
    .select([
      sql<number | string>`count(*)`.as('rows'),
      sql<number | string>`coalesce(sum(quota), 0)`.as('points'),
    ])
    .where(sql<boolean>`type = 6`)
    .executeTakeFirstOrThrow()
  return { rows: Number(rows), points: Number(points) }
}

const chunkRows = 500

/**
 * Deletes older rows in small transactions, so that callers do not wait. Each chunk begins where the previous one ended,
 * so that no row is read twice.
 */
export const removeBefore = async (
  db: Database,
  before: number,
  types: readonly number[] | 'every type',
): Promise<number> => {
  let from = { created_at: 0, id: 0 }
  for (let removed = 0; ; ) {
    const rows = await db
      .selectFrom('logs')
      .select(['created_at', 'id'])
      .where(sql<boolean>`(created_at, id) > (${from.created_at}, ${from.id})`)
      .where('created_at', '<', before)
      .$if(types !== 'every type', some => some.where('type', 'in', types as readonly number[]))
      .orderBy('created_at')
      .orderBy('id')
      .limit(chunkRows)
      .execute()
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return removed
    const ids = rows.map(row => row.id)
    const { numDeletedRows } = await db
      .deleteFrom('logs')
      .where('id', 'in', ids)
      .where('created_at', '>=', first.created_at)
      .where('created_at', '<=', last.created_at)
      .executeTakeFirst()
    removed += Number(numDeletedRows)
    if (rows.length < chunkRows) return removed
    from = last
  }
}

export const asLog = (row: LogRow): Log => ({
  id: row.id,
  user_id: row.user_id,
  created_at: row.created_at,
  type: row.type,
  content: row.content,
  username: row.username,
  token_name: row.token_name,
  model_name: row.model_name,
  quota: row.quota,
  prompt_tokens: row.prompt_tokens,
  completion_tokens: row.completion_tokens,
  channel_id: row.channel_id,
  channel: row.channel_name === null ? null : { id: row.channel_id, name: row.channel_name },
  request_time: row.request_time,
  is_stream: row.is_stream === 1,
  source_ip: row.source_ip,
  metadata: JSON.parse(row.metadata || '{}'),
})
