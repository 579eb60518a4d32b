import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { LeaseCriteria } from './task-polls.ts'
import type { TaskRow } from './tasks.ts'

/** The columns of one kind of work that an ended task may still need. */
type WorkColumns =
  | { runAt: 'callback_run_at'; attempts: 'callback_attempts' }
  | { runAt: 'copy_run_at'; attempts: 'copy_attempts' }

/** Leases the tasks whose work is due longest, and counts the try. Until `leaseEnds` no other node receives them. */
export const leaseDue = (
  db: Database,
  { now, leaseEnds, limit }: LeaseCriteria,
  { runAt, attempts }: WorkColumns,
): Promise<TaskRow[]> =>
  db
    .updateTable('tasks')
    .set({ [runAt]: leaseEnds, [attempts]: sql<number>`coalesce(${sql.ref(attempts)}, 0) + 1` })
    .where('id', 'in', due =>
      due
        .selectFrom('tasks')
        .select('id')
        .where(runAt, '<=', now)
        .orderBy(runAt)
        .orderBy('id')
        .limit(limit),
    )
    .where(runAt, '<=', now)
    .returningAll()
    .execute()
