import type { Database } from '../index.ts'
import type { TableName } from '../table-writes.ts'

/** Rows of one table that are work from a time on. */
export type WorkQueue = {
  table: TableName
  /** Unix seconds from which the first row is due. Undefined: no row waits. */
  findNextDue(db: Database): Promise<number | undefined>
}

/** The queues of the jobs that run every few seconds. Each reads the first entry of an index. */
export const workQueues = {
  background: {
    table: 'background_calls',
    findNextDue: async db => {
      const calls = db.selectFrom('background_calls').select('run_at')
      return (await calls.orderBy('run_at').limit(1).executeTakeFirst())?.run_at
    },
  },
  batches: {
    table: 'stored_resources',
    findNextDue: async db => {
      const waiting = db
        .selectFrom('stored_resources')
        .select('run_at')
        .where('run_at', 'is not', null)
      return (await waiting.orderBy('run_at').limit(1).executeTakeFirst())?.run_at ?? undefined
    },
  },
  notifications: {
    table: 'notifications',
    findNextDue: async db => {
      const waiting = db.selectFrom('notifications').select('run_at').where('state', '=', 'waiting')
      return (await waiting.orderBy('run_at').limit(1).executeTakeFirst())?.run_at
    },
  },
  queued: {
    table: 'queued',
    findNextDue: async db => {
      const waiting = db.selectFrom('queued').select('run_at').where('state', '=', 'waiting')
      return (await waiting.orderBy('run_at').limit(1).executeTakeFirst())?.run_at
    },
  },
  taskCallbacks: {
    table: 'tasks',
    findNextDue: db => findNextTask(db, 'callback_run_at'),
  },
  taskCopies: { table: 'tasks', findNextDue: db => findNextTask(db, 'copy_run_at') },
  taskPolls: { table: 'tasks', findNextDue: db => findNextTask(db, 'run_at') },
} satisfies Record<string, WorkQueue>

const findNextTask = async (
  db: Database,
  column: 'run_at' | 'callback_run_at' | 'copy_run_at',
): Promise<number | undefined> => {
  const waiting = db.selectFrom('tasks').select(`${column} as due`).where(column, 'is not', null)
  return (await waiting.orderBy(column).limit(1).executeTakeFirst())?.due ?? undefined
}
