import { sql } from 'kysely'
import type { Database } from '../index.ts'

type Entry = { job: string; key: string; payload_sealed: string; now: number }

/** Promises work; one of this job and key that was promised before, or is done already, stays as it is. */
export const add = async (
  db: Database,
  { job, key, payload_sealed, now }: Entry,
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

/** Looks before anybody writes: most of the time nothing is due. */
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
 * The entry that is longest due, for whoever asks first: until `leaseEnds` nobody else gets it. Who dies over it has
 * not done it, and it is due again after that.
 */
export const take = (db: Database, now: number, leaseEnds: number) =>
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

export type Taken = NonNullable<Awaited<ReturnType<typeof take>>>

/** Only who still holds the lease says how it ended: a later taker may be at it. */
const held = (db: Database, { id, attempts }: Taken) =>
  db
    .updateTable('queued')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)

/** What was in it is not kept. */
export const end = async (
  db: Database,
  entry: Taken,
  ending: { state: 'done' | 'failed'; failure: string; now: number },
): Promise<void> => {
  const { state, failure, now } = ending
  await held(db, entry).set({ state, failure, ended_at: now, payload_sealed: '' }).execute()
}

export const putBack = async (
  db: Database,
  entry: Taken,
  runAt: number,
  failure: string,
): Promise<void> => {
  await held(db, entry).set({ run_at: runAt, failure }).execute()
}

/** Forgets what ended before; until then its key is remembered. */
export const forgetBefore = async (db: Database, before: number): Promise<void> => {
  await db
    .deleteFrom('queued')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', before)
    .execute()
}
