import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** The days of every time zone begin on a multiple of 15 minutes. */
export const quarterHourSeconds = 900

export type QuarterHourUsage = {
  /** Unix time in units of 900 s. */
  quarter: number
  model: string
  requests: number
  /** Points. */
  quota: number
  promptTokens: number
  completionTokens: number
  requestTime: number
}

/**
 * Sums the charged calls (log type 2) of a user since a Unix second, by quarter hour and model. The caller adds them up
 * to days of the viewer's time zone, so that the database engines need no time zones.
 */
export const sumByQuarterHour = async (
  db: Database,
  userId: number,
  since: number,
): Promise<QuarterHourUsage[]> => {
  // Integer division on both engines: with a bound parameter PostgreSQL would divide numerics.
  const quarter = sql<number>`created_at / ${sql.lit(quarterHourSeconds)}`
  const total = (column: string) => sql<number | string>`sum(${sql.ref(column)})`
  const rows = await db
    .selectFrom('logs')
    .where('user_id', '=', userId)
    .where('type', '=', 2)
    .where('created_at', '>=', since)
    .groupBy([quarter, 'model_name'])
    .select([
      quarter.as('quarter'),
      'model_name as model',
      sql<number | string>`count(*)`.as('requests'),
      total('quota').as('quota'),
      total('prompt_tokens').as('promptTokens'),
      total('completion_tokens').as('completionTokens'),
      total('request_time').as('requestTime'),
    ])
    .execute()
  return rows.map(({ model, ...figures }) => ({ model, ...numbers(figures) }))
}

const numbers = <K extends string>(figures: Record<K, number | string>) =>
  Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, Number(value)])) as Record<
    K,
    number
  >
