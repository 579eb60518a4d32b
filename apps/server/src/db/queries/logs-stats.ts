import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** Every time zone's days begin on a quarter of an hour. */
export const quarterSeconds = 900

export type Quarter = {
  quarter: number
  model: string
  requests: number
  quota: number
  promptTokens: number
  completionTokens: number
  requestTime: number
}

/**
 * A user's calls by quarter of an hour and model. Days are put together by the caller, in its time zone: so both
 * engines give the same figures, and neither needs to know a time zone.
 */
export const quartersOf = async (
  db: Database,
  userId: number,
  since: number,
): Promise<Quarter[]> => {
  // Whole numbers on both engines; a bound parameter would make one of them divide exactly.
  const quarter = sql<number>`created_at / ${sql.lit(quarterSeconds)}`
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
