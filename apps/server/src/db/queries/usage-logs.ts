import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { quarterHourSeconds, type TimeRange } from './usage-sums.ts'

/** Charged calls of one step of time, user, model, channel and group. */
export type ChargedCalls = {
  at: number
  userId: number
  model: string
  channelId: number
  /** The billing tag, or else the group that it was charged in. Empty: the log row has neither. */
  group: string
  requests: number
  quota: number
  promptTokens: number
  completionTokens: number
  /** Milliseconds of all calls together. */
  requestTime: number
}

export const firstLogTime = async (db: Database): Promise<number | undefined> => {
  const row = await db
    .selectFrom('logs')
    .select('created_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** The type is literal, because both engines choose partial indexes by it. */
const ofType = (type: 2 | 5) => sql<boolean>`type = ${sql.lit(type)}`

const total = (column: string) => sql<number | string>`sum(${sql.ref(column)})`

/** Metadata of a charge begins with its billing tag or its group, of at most 50 characters, so that no engine parses JSON. */
export const metadataStart = sql<string>`substr(metadata, 1, 70)`

/** The group in the beginning of a row's metadata. */
export const groupIn = (start: string): string =>
  /^\{"(?:billing_tag|group_name)":"([^"\\]+)"/.exec(start)?.[1] ?? ''

type ChargeScope = {
  /** Absent: of all users. */
  user?: number | undefined
  /** Seconds; a quarter of an hour by default. */
  step?: number | undefined
}

/** Sums charged calls. Without a log row are those whose process died before it knew the channel: their postings count. */
export const sumCharges = async (
  db: Database,
  range: TimeRange,
  { user, step = quarterHourSeconds }: ChargeScope = {},
): Promise<ChargedCalls[]> => {
  // Integer division on both engines: with a bound parameter PostgreSQL would divide numerics.
  const steps = sql<number>`created_at / ${sql.lit(step)}`
  const logged = await db
    .selectFrom('logs')
    .where(ofType(2))
    .where('created_at', '>=', range.begin)
    .where('created_at', '<', range.end)
    .$if(user !== undefined, rows => rows.where('user_id', '=', user!))
    .groupBy([steps, 'user_id', 'model_name', 'channel_id', metadataStart])
    .select([
      steps.as('steps'),
      'user_id as userId',
      'model_name as model',
      'channel_id as channelId',
      metadataStart.as('start'),
      sql<number | string>`count(*)`.as('requests'),
      total('quota').as('quota'),
      total('prompt_tokens').as('promptTokens'),
      total('completion_tokens').as('completionTokens'),
      total('request_time').as('requestTime'),
    ])
    .execute()
  const sums = logged.map(({ steps, userId, model, channelId, start, ...figures }) => ({
    ...{ at: steps * step, userId, model, channelId, group: groupIn(start) },
    ...{ requests: Number(figures.requests), quota: Number(figures.quota) },
    promptTokens: Number(figures.promptTokens),
    completionTokens: Number(figures.completionTokens),
    requestTime: Number(figures.requestTime),
  }))
  return [...sums, ...(await listRecovered(db, range, { user, step }))]
}

/** Charges without a log row: their process died before it knew the channel. */
export const listRecovered = async (
  db: Database,
  range: TimeRange,
  { user, step }: { user: number | undefined; step: number },
): Promise<ChargedCalls[]> => {
  const rows = await db
    .selectFrom('transfers')
    .leftJoin('logs', 'logs.id', 'transfers.id')
    .where('transfers.channel_id', '=', sql.lit(0))
    .where('transfers.kind', '=', 'request')
    .where('transfers.at', '>=', range.begin)
    .where('transfers.at', '<', range.end)
    .where('logs.id', 'is', null)
    .$if(user !== undefined, calls => calls.where('transfers.debit', '=', user!))
    .select(['transfers.at', 'transfers.debit as userId', 'transfers.amount as quota'])
    .execute()
  return rows.map(({ at, userId, quota }) => ({
    at: at - (at % step),
    ...{ userId, model: '', channelId: 0, group: '', requests: 1, quota, promptTokens: 0 },
    completionTokens: 0,
    requestTime: 0,
  }))
}

/** Rows about failed calls. Their metadata is JSON. */
export const listErrors = (db: Database, range: TimeRange) =>
  db
    .selectFrom('logs')
    .where(ofType(5))
    .where('created_at', '>=', range.begin)
    .where('created_at', '<', range.end)
    .select([
      'created_at as at',
      'user_id as userId',
      'model_name as model',
      'channel_id as channelId',
      'content as code',
      'metadata',
    ])
    .execute()

/** Durations of the latest charged calls since a second. Their metadata is JSON. */
export const listLatestDurations = (db: Database, since: number, limit: number) =>
  db
    .selectFrom('logs')
    .where(ofType(2))
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .select(['request_time as milliseconds', 'metadata'])
    .execute()

/** The latest charged and failed calls since a second, newest first, with the names of their channels. */
export const listLatestCalls = (db: Database, since: number, limit: number) =>
  db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .where('logs.type', 'in', [2, 5])
    .where('logs.created_at', '>=', since)
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .limit(limit)
    .select(['logs.id', 'logs.created_at', 'logs.type', 'logs.content', 'logs.username'])
    .select(['logs.token_name', 'logs.model_name', 'logs.quota', 'logs.channel_id'])
    .select(['logs.request_time', 'logs.is_stream', 'logs.metadata'])
    .select('channels.name as channel_name')
    .execute()

/** Points that were credited to users against a code or a payment. */
export const sumCredited = async (
  db: Database,
  kinds: readonly string[],
  range: TimeRange,
): Promise<number> => {
  const { amount } = await db
    .selectFrom('transfers')
    .where(sql<boolean>`kind <> 'request'`)
    .where('kind', 'in', kinds)
    .where('at', '>=', range.begin)
    .where('at', '<', range.end)
    .select(sql<number | string>`coalesce(sum(amount), 0)`.as('amount'))
    .executeTakeFirstOrThrow()
  return Number(amount)
}
