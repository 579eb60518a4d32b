import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { CacheSumsTable } from '../tables/logs-audit.ts'
import { readTokens, writtenTokens } from './cached-tokens.ts'
import { ofSession, type Position, type SessionOf } from './call-sessions.ts'
import { chunks } from './chunks.ts'
import type { TimeRange } from './usage-sums.ts'

type CacheFigure = Exclude<keyof CacheSumsTable, 'channel_id' | 'at' | 'model'>

const figures: CacheFigure[] = [
  'requests',
  'prompt_tokens',
  'read_tokens',
  'written_tokens',
  'expecting',
  'missing',
  'missed_tokens',
  'missed_points',
]

const sum = (value: RawBuilder<unknown>) => sql<number | string>`coalesce(sum(${value}), 0)`
/** Sums the charged calls of a time by channel and model. */
export const sumCachedPrompts = async (db: Database, { begin, end }: TimeRange) => {
  const rows = await db
    .selectFrom('logs')
    // Literal, because both engines choose partial indexes by it.
    .where(sql<boolean>`type = 2`)
    .where('created_at', '>=', begin)
    .where('created_at', '<', end)
    .groupBy(['channel_id', 'model_name'])
    .select(['channel_id', 'model_name as model', sql<number | string>`count(*)`.as('requests')])
    .select([sum(sql`prompt_tokens`).as('prompt_tokens')])
    .select([sum(readTokens).as('read_tokens'), sum(writtenTokens).as('written_tokens')])
    .execute()
  return rows.map(({ channel_id, model, ...sums }) => ({
    ...{ channel_id, model },
    requests: Number(sums.requests),
    prompt_tokens: Number(sums.prompt_tokens),
    read_tokens: Number(sums.read_tokens),
    written_tokens: Number(sums.written_tokens),
  }))
}

const columns = [
  ...(['id', 'user_id', 'channel_id', 'model_name', 'created_at', 'request_time'] as const),
  ...(['prompt_tokens', 'quota', 'metadata'] as const),
] as const

/** Lists calls of sessions whose price has a cache, the oldest first, after a position. The index is that of sessions. */
export const listCachedCalls = (
  db: Database,
  { begin, end }: TimeRange,
  after: Position,
  limit: number,
) =>
  ofSession(db)
    .where(sql<boolean>`metadata like '%"cache_prices":[%'`)
    .where('type', '=', 2)
    .where('created_at', '>=', begin)
    .where('created_at', '<', end)
    .where(sql<boolean>`(created_at, id) > (${after.created_at}, ${after.id})`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .select(columns)
    .execute()

export type CachedCallRow = Awaited<ReturnType<typeof listCachedCalls>>[number]

/** Lists the newest charged calls of a session before a position, the newest first. */
export const listSessionCalls = (
  db: Database,
  session: SessionOf,
  { before, limit }: { before?: Position | undefined; limit: number },
): Promise<CachedCallRow[]> =>
  ofSession(db, session)
    .where('type', '=', 2)
    .$if(before !== undefined, rows =>
      rows.where(sql<boolean>`(created_at, id) < (${before!.created_at}, ${before!.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .select(columns)
    .execute()

/** Writes sums over older ones. A sum never shrinks, because logs that were deleted since still count. */
export const writeCacheSums = async (
  db: Database,
  rows: readonly CacheSumsTable[],
): Promise<void> => {
  for (const part of chunks(rows))
    await db
      .insertInto('cache_sums')
      .values(part)
      .onConflict(conflict =>
        conflict
          .columns(['channel_id', 'at', 'model'])
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(figures.map(name => [name, ref(`excluded.${name}`)])),
          )
          .where(sql<boolean>`excluded.requests >= cache_sums.requests`),
      )
      .execute()
}

/** The last hour that has a sum. */
export const findLastCacheSum = async (db: Database): Promise<number | undefined> => {
  const row = await db
    .selectFrom('cache_sums')
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

export const removeCacheSums = async (db: Database, before: number): Promise<void> => {
  await db.deleteFrom('cache_sums').where('at', '<', before).execute()
}

/** Sums the hours of a channel since a time by model. */
export const sumChannelCache = async (db: Database, channelId: number, begin: number) => {
  const rows = await db
    .selectFrom('cache_sums')
    .where('channel_id', '=', channelId)
    .where('at', '>=', begin)
    .groupBy('model')
    .select('model')
    .select(figures.map(name => sql<number | string>`sum(${sql.ref(name)})`.as(name)))
    .execute()
  return rows.map(row => ({
    model: row.model,
    ...(Object.fromEntries(figures.map(name => [name, Number(row[name])])) as Record<
      CacheFigure,
      number
    >),
  }))
}
