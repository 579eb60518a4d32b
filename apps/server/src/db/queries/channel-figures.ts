import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'
import { ifCached, number, orZero, readKeys, readTokens, text, total } from './cached-tokens.ts'
import type { TimeRange } from './usage-sums.ts'

/** The condition of a partial index, which both engines use only for a condition with exactly this text. */
const withFailedAttempts = `metadata like '%"attempts":[{%'`

/** A time range of one channel, in steps of some seconds. */
export type ChannelSpan = TimeRange & { channelId: number; step: number }

/** Sums of the answered calls of one step. */
export type CallSums = {
  begin: number
  requests: number
  broken: number
  charged: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  saved: number
  streamedTokens: number
  streamedMilliseconds: number
}

export type Percentile = { p50: number | null; p95: number | null }

/** Points: the difference to the full input price, whose unit is one point for each token. */
const saved = ifCached(
  'read',
  sql`case when ${text('price_type')} = 'tokens' then ${total(
    readKeys.map(key => sql`${orZero(number(key))} * (1 - ${orZero(number(`${key}_ratio`))})`),
  )} * ${orZero(number('input_ratio'))} * ${orZero(number('group_ratio'))} else 0 end`,
)

/** The answered calls. They are materialized, because an expression would be computed at each of its uses. */
const withCalls = (db: Database, { channelId, begin, end, step }: ChannelSpan) =>
  db.with(
    cte => cte('calls').materialized(),
    () =>
      db
        .selectFrom('logs')
        .where('type', '=', sql.lit(2))
        .where('channel_id', '=', channelId)
        .where('created_at', '>=', begin)
        .where('created_at', '<', end)
        .select([
          // Integer division on both engines, because the parameters stand in the text.
          sql<number>`(created_at - ${sql.lit(begin)}) / ${sql.lit(step)}`.as('step'),
          ...(['quota', 'prompt_tokens', 'completion_tokens', 'request_time'] as const),
          sql<number | null>`case when is_stream = 1 then ${number('first_response')} end`.as(
            'first_byte',
          ),
          sql<number>`case when metadata like '%"upstream-broke"%' and ${text('finish')} = 'upstream-broke'
            then 1 else 0 end`.as('broken'),
          readTokens.as('cached_tokens'),
          saved.as('saved'),
        ]),
  )

const sum = (value: RawBuilder<unknown>) => sql<number | string>`coalesce(sum(${value}), 0)`
/** A stream whose speed is known. */
const isTimed = sql<boolean>`first_byte > 0 and request_time > first_byte and completion_tokens > 0`
const sumTimed = (value: RawBuilder<unknown>) =>
  sum(sql`case when ${isTimed} then ${value} else 0 end`)

/** Sums the answered calls by step. Steps without a call are left out. */
export const sumCalls = async (db: Database, span: ChannelSpan): Promise<CallSums[]> => {
  const rows = await withCalls(db, span)
    .selectFrom('calls')
    .groupBy('step')
    .select([
      'step',
      sql<number | string>`count(*)`.as('requests'),
      sum(sql`broken`).as('broken'),
      sum(sql`quota`).as('charged'),
      sum(sql`prompt_tokens`).as('promptTokens'),
      sum(sql`completion_tokens`).as('completionTokens'),
      sum(sql`cached_tokens`).as('cachedTokens'),
      sum(sql`saved`).as('saved'),
      sumTimed(sql`completion_tokens`).as('streamedTokens'),
      sumTimed(sql`request_time - first_byte`).as('streamedMilliseconds'),
    ])
    .execute()
  return rows.map(({ step, ...sums }) => ({
    begin: span.begin + Number(step) * span.step,
    ...(Object.fromEntries(
      Object.entries(sums).map(([name, value]) => [name, Number(value)]),
    ) as Omit<CallSums, 'begin'>),
  }))
}

export type PercentileRows = { all: Percentile; bySteps: Map<number, Percentile> }

/** Percentiles of a time in milliseconds, by step and of the whole range. Each is a value that occurred. */
export const listPercentiles = async (
  db: Database,
  span: ChannelSpan,
  value: 'request_time' | 'first_byte',
): Promise<PercentileRows> => {
  const column = sql.ref(value)
  const ranked = withCalls(db, span)
    .selectFrom('calls')
    .where(sql<boolean>`${column} > 0`)
    .select([
      'step',
      sql<number>`${column}`.as('value'),
      sql<number>`row_number() over (partition by step order by ${column})`.as('place'),
      sql<number>`count(*) over (partition by step)`.as('count'),
      sql<number>`row_number() over (order by ${column})`.as('place_of_all'),
      sql<number>`count(*) over ()`.as('count_of_all'),
    ])
  const at = (place: string, count: string, percent: number) =>
    sql<
      number | null
    >`min(case when ${sql.ref(place)} * 100 >= ${sql.ref(count)} * ${sql.lit(percent)} then value end)`
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .groupBy('step')
    .select([
      'step',
      at('place', 'count', 50).as('p50'),
      at('place', 'count', 95).as('p95'),
      at('place_of_all', 'count_of_all', 50).as('all50'),
      at('place_of_all', 'count_of_all', 95).as('all95'),
    ])
    .execute()
  return {
    all: { p50: lowest(rows.map(row => row.all50)), p95: lowest(rows.map(row => row.all95)) },
    bySteps: new Map(
      rows.map(row => [
        span.begin + Number(row.step) * span.step,
        { p50: numberOrNull(row.p50), p95: numberOrNull(row.p95) },
      ]),
    ),
  }
}

const numberOrNull = (value: number | string | null) => (value === null ? null : Number(value))

/** Each step has its lowest value at or above the percentile, if it has one. */
const lowest = (values: readonly (number | string | null)[]): number | null => {
  const found = values.filter(value => value !== null).map(Number)
  return found.length === 0 ? null : Math.min(...found)
}

/** The latest calls of the site with a failed attempt, at most `limit`. */
export const listFailedAttempts = (db: Database, { begin, end }: TimeRange, limit: number) =>
  db
    .selectFrom('logs')
    .where(sql<boolean>`${sql.raw(withFailedAttempts)}`)
    .where('created_at', '>=', begin)
    .where('created_at', '<', end)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select(['created_at as at', 'metadata'])
    .execute()
