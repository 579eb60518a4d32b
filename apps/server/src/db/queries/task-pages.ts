import type { Page, Task, TaskStatus } from '@hub/contract'
import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { type Paging, selectPage } from './paging.ts'
import type { TaskRow } from './tasks.ts'

export type TaskFilter = {
  /** Selects the tasks of this user that they have not deleted. */
  ownerId?: number | undefined
  user_id?: number | undefined
  username?: string | undefined
  channel_id?: number | undefined
  token_id?: number | undefined
  platform?: string | undefined
  /** The id that callers use. */
  task_id?: string | undefined
  action?: string | undefined
  status?: TaskStatus | undefined
  orphan?: boolean | undefined
  callback?: Task['callback'] | undefined
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
}

export type ListedTask = TaskRow & { username: string | null; channel_name: string | null }

const settled = sql<boolean>`tasks.settlement in ('charged', 'released')`

/** An end is visible after its charge or release is posted, as `visibleState` has it. */
const conditions: Record<TaskStatus, ReturnType<typeof sql<boolean>>> = {
  SUBMITTED: sql`tasks.state = 'submitting'`,
  QUEUED: sql`tasks.state = 'queued'`,
  IN_PROGRESS: sql`(tasks.state = 'in_progress' or tasks.settlement in ('charging', 'releasing'))`,
  SUCCESS: sql`tasks.state = 'completed' and ${settled}`,
  FAILURE: sql`tasks.state in ('failed', 'expired') and ${settled}`,
}

const callbacks: Record<Task['callback'], ReturnType<typeof sql<boolean>>> = {
  none: sql`tasks.callback_state is null`,
  waiting: sql`tasks.callback_state in ('armed', 'waiting')`,
  delivered: sql`tasks.callback_state = 'delivered'`,
  given_up: sql`tasks.callback_state = 'given_up'`,
}

/** Lists a page of tasks, the newest first unless `order` says otherwise. */
export const listPage = (
  db: Database,
  filter: TaskFilter,
  { page, size, order = '-id' }: Paging,
): Promise<Page<ListedTask>> => {
  const columns = {
    id: sql.ref('tasks.id'),
    submit_time: sql.ref('tasks.created_at'),
    finish_time: sql.ref('tasks.finished_at'),
    channel_id: sql.ref('tasks.channel_id'),
    user_id: sql.ref('tasks.user_id'),
    platform: sql.ref('tasks.platform'),
    action: sql.ref('tasks.action'),
    model: sql.ref('tasks.model'),
  }
  const query = matching(db, filter)
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('channels', 'channels.id', 'tasks.channel_id')
    .selectAll('tasks')
    .select(['users.username', 'channels.name as channel_name'])
  return selectPage(db, query, { page, size, order }, columns)
}

const matching = (db: Database, filter: TaskFilter) => {
  const { ownerId, user_id, username, channel_id, token_id, platform, action } = filter
  const { task_id, status, orphan, callback, start_timestamp, end_timestamp } = filter
  return (
    db
      .selectFrom('tasks')
      .$if(ownerId !== undefined, rows =>
        rows.where('tasks.user_id', '=', ownerId!).where('tasks.deleted_at', 'is', null),
      )
      .$if(user_id !== undefined, rows => rows.where('tasks.user_id', '=', user_id!))
      .$if(!!username, rows =>
        rows.where('tasks.user_id', 'in', people =>
          people.selectFrom('users as u').select('u.id').where('u.username', '=', username!),
        ),
      )
      .$if(channel_id !== undefined, rows => rows.where('tasks.channel_id', '=', channel_id!))
      .$if(token_id !== undefined, rows => rows.where('tasks.token_id', '=', token_id!))
      .$if(!!platform, rows => rows.where('tasks.platform', '=', platform!))
      .$if(!!action, rows => rows.where('tasks.action', '=', action!))
      .$if(!!task_id, rows => rows.where('tasks.public_id', '=', task_id!))
      .$if(status !== undefined, rows => rows.where(conditions[status!]))
      // Literal, because SQLite uses a partial index only for a condition that it can compare with the index's own.
      .$if(orphan !== undefined, rows => rows.where('tasks.orphan', '=', sql.lit(Number(orphan))))
      .$if(callback !== undefined, rows => rows.where(callbacks[callback!]))
      .$if(!!start_timestamp, rows => rows.where('tasks.created_at', '>=', start_timestamp!))
      .$if(!!end_timestamp, rows => rows.where('tasks.created_at', '<=', end_timestamp!))
  )
}
