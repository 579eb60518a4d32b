import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { BackgroundCallsTable } from '../tables/responses.ts'

/** Inserts the call; repeating it changes nothing. */
export const add = async (
  db: Database,
  row: Omit<BackgroundCallsTable, 'read_tokens'>,
): Promise<void> => {
  await db
    .insertInto('background_calls')
    .values({ ...row, read_tokens: null })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const findByAnswer = (
  db: Database,
  answerId: string,
): Promise<BackgroundCallsTable | undefined> =>
  db.selectFrom('background_calls').selectAll().where('answer_id', '=', answerId).executeTakeFirst()

/** Raises the output that callers have read of the call. */
export const raiseRead = async (db: Database, answerId: string, tokens: number): Promise<void> => {
  await db
    .updateTable('background_calls')
    .set({ read_tokens: tokens })
    .where('answer_id', '=', answerId)
    .where(({ eb, fn }) => eb(fn.coalesce('read_tokens', sql.lit(0)), '<', tokens))
    .execute()
}

/** Leases the call that is due longest. Until `leaseEnds` no other node receives it. */
export const lease = (
  db: Database,
  now: number,
  leaseEnds: number,
): Promise<BackgroundCallsTable | undefined> =>
  db
    .updateTable('background_calls')
    .set({ run_at: leaseEnds, attempts: sql<number>`attempts + 1` })
    .where('request_id', '=', due =>
      due
        .selectFrom('background_calls as due')
        .select('due.request_id')
        .where('due.run_at', '<=', now)
        .orderBy('due.run_at')
        .orderBy('due.request_id')
        .limit(1),
    )
    .where('run_at', '<=', now)
    .returningAll()
    .executeTakeFirst()

/** Read-only check before `lease`: usually nothing is due. */
export const isDue = async (db: Database, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('background_calls')
    .select('request_id')
    .where('run_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Reschedules the call, unless another node has leased it since. */
export const putBack = async (
  db: Database,
  { request_id, attempts }: BackgroundCallsTable,
  runAt: number,
): Promise<void> => {
  await db
    .updateTable('background_calls')
    .set({ run_at: runAt })
    .where('request_id', '=', request_id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Removes a call whose charge is durable. */
export const remove = async (db: Database, requestId: number): Promise<void> => {
  await db.deleteFrom('background_calls').where('request_id', '=', requestId).execute()
}

/** The calls with these answer ids, in the order of their admission. */
export const listByAnswers = (
  db: Database,
  answerIds: readonly string[],
): Promise<BackgroundCallsTable[]> =>
  db
    .selectFrom('background_calls')
    .selectAll()
    .where('answer_id', 'in', answerIds)
    .orderBy('request_id')
    .execute()
