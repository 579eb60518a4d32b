import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { leaseDue } from './task-leases.ts'
import type { LeaseCriteria } from './task-polls.ts'
import type { TaskRow } from './tasks.ts'

/** Read-only check before `lease`: usually nothing is due. */
export const isDue = async (db: Database, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('callback_run_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Leases the callbacks that are due longest. Until `leaseEnds` no other node receives them. */
export const lease = (db: Database, criteria: LeaseCriteria): Promise<TaskRow[]> =>
  leaseDue(db, criteria, { runAt: 'callback_run_at', attempts: 'callback_attempts' })

type Attempted = Pick<TaskRow, 'id' | 'state' | 'callback_attempts'>

/** Matches the callback only while the caller holds its lease, and no later end of the task waits. */
const leased = (db: Database, { id, state, callback_attempts }: Attempted) =>
  db
    .updateTable('tasks')
    .where('id', '=', id)
    .where('state', '=', state)
    .where('callback_state', '=', 'waiting')
    .where('callback_attempts', '=', callback_attempts)

export const end = async (
  db: Database,
  task: Attempted,
  ending: { state: 'delivered' | 'given_up'; failure: string },
): Promise<void> => {
  await leased(db, task)
    .set({
      ...{ callback_state: ending.state, callback_failure: ending.failure, callback_run_at: null },
    })
    .execute()
}

export const putBack = async (
  db: Database,
  task: Attempted,
  { runAt, failure }: { runAt: number; failure: string },
): Promise<void> => {
  await leased(db, task).set({ callback_run_at: runAt, callback_failure: failure }).execute()
}

/** The version of a user's signing secret, which is derived from it. */
export const findSecretVersion = async (db: Database, userId: number): Promise<number> => {
  const row = await db
    .selectFrom('users')
    .select('callback_secret_version')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.callback_secret_version ?? 0
}

export const renewSecret = async (db: Database, userId: number): Promise<void> => {
  await db
    .updateTable('users')
    .set({ callback_secret_version: sql<number>`coalesce(callback_secret_version, 0) + 1` })
    .where('id', '=', userId)
    .execute()
}
