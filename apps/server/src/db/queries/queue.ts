import { sql } from 'kysely'
import type { Database } from '../index.ts'

type NewJob = { job: string; key: string; payload_sealed: string; now: number }

/** Enqueues work. An entry of the same job and key, also a finished one, stays unchanged. */
export const add = async (
  db: Database,
  { job, key, payload_sealed, now }: NewJob,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('queued')
    .values({
      job,
      key,
      payload_sealed,
      state: 'waiting',
      attempts: 0,
      run_at: now,
      created_at: now,
      ended_at: null,
      failure: '',
    })
    .onConflict(conflict => conflict.columns(['job', 'key']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Ends work of a group that still waits, because newer work of the group replaces it. */
export const supersede = async (
  db: Database,
  { job, keyPrefix, now }: { job: string; keyPrefix: string; now: number },
): Promise<void> => {
  await db
    .updateTable('queued')
    .set({ state: 'failed', failure: 'superseded', ended_at: now, payload_sealed: '' })
    .where('state', '=', 'waiting')
    .where('job', '=', job)
    .where('key', 'like', `${keyPrefix}%`)
    .execute()
}

/** Read-only check before `lease`: usually nothing is due. */
export const isDue = async (db: Database, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('queued')
    .select('id')
    .where('state', '=', 'waiting')
    .where('run_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Leases the entry that is due longest. Until `leaseEnds` no other node receives it; after the death of its worker it is
 * due again.
 */
export const lease = (db: Database, now: number, leaseEnds: number) =>
  db
    .updateTable('queued')
    .set({ run_at: leaseEnds, attempts: sql<number>`attempts + 1` })
    .where('id', '=', due =>
      due
        .selectFrom('queued as due')
        .select('due.id')
        .where('due.state', '=', 'waiting')
        .where('due.run_at', '<=', now)
        .orderBy('due.run_at')
        .orderBy('due.id')
        .limit(1),
    )
    .where('state', '=', 'waiting')
    .where('run_at', '<=', now)
    .returning(['id', 'job', 'key', 'payload_sealed', 'attempts', 'run_at'])
    .executeTakeFirst()

export type LeasedJob = NonNullable<Awaited<ReturnType<typeof lease>>>

/** Matches the entry only while the caller holds the lease. */
const leased = (db: Database, { id, attempts }: LeasedJob) =>
  db
    .updateTable('queued')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)

/** Ends the entry and deletes its payload. */
export const end = async (
  db: Database,
  entry: LeasedJob,
  ending: { state: 'done' | 'failed'; failure: string; now: number },
): Promise<void> => {
  const { state, failure, now } = ending
  await leased(db, entry).set({ state, failure, ended_at: now, payload_sealed: '' }).execute()
}

export const putBack = async (
  db: Database,
  entry: LeasedJob,
  runAt: number,
  failure: string,
): Promise<void> => {
  await leased(db, entry).set({ run_at: runAt, failure }).execute()
}

/** Deletes entries that ended before this time. Until then their keys block duplicates. */
export const removeBefore = async (db: Database, before: number): Promise<void> => {
  await db
    .deleteFrom('queued')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', before)
    .execute()
}
