import { sql } from 'kysely'
import { withDeadline } from '../engines/deadline.ts'
import type { Database } from '../index.ts'
import type { LogFilter } from './log-filter.ts'
import { newestRows } from './log-page.ts'

/** Counting reads at most this many rows. */
export const countedRowsMax = 50_000

/** The range of the newest matching rows, and their number. */
export const findRange = async (db: Database, filter: LogFilter) => {
  const { oldest, newest, count } = await withDeadline(db, async limited => {
    const rows = await newestRows(limited, filter, countedRowsMax)
    return limited
      .selectFrom(rows.as('rows'))
      .select([
        sql<number | string | null>`min(created_at)`.as('oldest'),
        sql<number | string | null>`max(created_at)`.as('newest'),
        sql<number | string>`count(*)`.as('count'),
      ])
      .executeTakeFirstOrThrow()
  })
  return { oldest: Number(oldest ?? 0), newest: Number(newest ?? 0), count: Number(count) }
}

type Steps = { begin: number; step: number }

/** Counts the newest matching rows by steps of some seconds. Steps without rows are left out. */
export const countBySteps = async (db: Database, filter: LogFilter, { begin, step }: Steps) => {
  const rows = await withDeadline(db, async limited => {
    const newest = await newestRows(limited, filter, countedRowsMax)
    return limited
      .selectFrom(newest.as('rows'))
      .select([
        // Integer division on both engines, because the parameters stand in the text.
        sql<number | string>`(created_at - ${sql.lit(begin)}) / ${sql.lit(step)}`.as('step'),
        sql<number | string>`count(*)`.as('count'),
        sql<number | string>`sum(case when type = 5 then 1 else 0 end)`.as('errors'),
      ])
      .groupBy('step')
      .orderBy('step')
      .execute()
  })
  return rows.map(row => ({
    begin: begin + Number(row.step) * step,
    count: Number(row.count),
    errors: Number(row.errors),
  }))
}
