import type { Database } from '../index.ts'
import type { TaskCopiesTable } from '../tables/tasks.ts'
import { leaseDue } from './task-leases.ts'
import type { LeaseCriteria } from './task-polls.ts'
import type { TaskRow } from './tasks.ts'

/** Leases ended tasks whose results are to be copied. Until `leaseEnds` no other node receives them. */
export const lease = (db: Database, criteria: LeaseCriteria): Promise<TaskRow[]> =>
  leaseDue(db, criteria, { runAt: 'copy_run_at', attempts: 'copy_attempts' })

/** Schedules the next try; null ends them. */
export const reschedule = async (
  db: Database,
  { id, copy_attempts }: Pick<TaskRow, 'id' | 'copy_attempts'>,
  runAt: number | null,
): Promise<void> => {
  await db
    .updateTable('tasks')
    .set({ copy_run_at: runAt })
    .where('id', '=', id)
    .where('copy_attempts', '=', copy_attempts)
    .execute()
}

export const add = async (db: Database, copy: TaskCopiesTable): Promise<void> => {
  await db
    .insertInto('task_copies')
    .values(copy)
    .onConflict(conflict => conflict.columns(['task_id', 'position']).doNothing())
    .execute()
}

export const find = (
  db: Database,
  { taskId, position, now }: { taskId: number; position: number; now: number },
): Promise<TaskCopiesTable | undefined> =>
  db
    .selectFrom('task_copies')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('position', '=', position)
    .where('expires_at', '>', now)
    .executeTakeFirst()

type RemovableCriteria = {
  now: number
  limit: number
  /** The last one that was listed before. */
  after: Pick<TaskCopiesTable, 'task_id' | 'position'> | undefined
}

/** Copies that have expired, or whose task is gone, in an order that pages them. */
export const listRemovable = (
  db: Database,
  { now, limit, after }: RemovableCriteria,
): Promise<TaskCopiesTable[]> =>
  db
    .selectFrom('task_copies as copy')
    .selectAll('copy')
    .$if(after !== undefined, query =>
      query.where(({ and, eb, or }) =>
        or([
          eb('copy.task_id', '>', after!.task_id),
          and([eb('copy.task_id', '=', after!.task_id), eb('copy.position', '>', after!.position)]),
        ]),
      ),
    )
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('copy.expires_at', '<=', now),
        not(
          exists(
            selectFrom('tasks')
              .select('tasks.id')
              .whereRef('tasks.id', '=', 'copy.task_id')
              .where('tasks.deleted_at', 'is', null),
          ),
        ),
      ]),
    )
    .orderBy('copy.task_id')
    .orderBy('copy.position')
    .limit(limit)
    .execute()

export const remove = async (
  db: Database,
  { task_id, position }: Pick<TaskCopiesTable, 'task_id' | 'position'>,
): Promise<void> => {
  await db
    .deleteFrom('task_copies')
    .where('task_id', '=', task_id)
    .where('position', '=', position)
    .execute()
}
