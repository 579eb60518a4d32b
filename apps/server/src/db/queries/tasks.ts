import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { TasksTable } from '../tables/tasks.ts'

export type TaskRow = TasksTable

/** The settlements after which a task's hold is closed. */
const settled = ['charged', 'released']
const running = ['queued', 'in_progress']

export const add = async (db: Database, row: TaskRow): Promise<void> => {
  await db.insertInto('tasks').values(row).execute()
}

export const findOwned = (
  db: Database,
  userId: number,
  publicId: string,
): Promise<TaskRow | undefined> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where('public_id', '=', publicId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Finds a task by an id that is signed. */
export const findPublic = (db: Database, publicId: string): Promise<TaskRow | undefined> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where('public_id', '=', publicId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export type OwnedTaskCriteria = {
  userId: number
  platform: string
  ids?: readonly string[] | undefined
  order: 'asc' | 'desc'
  /** The id behind which the page begins. */
  after?: number | undefined
  limit: number
}

/** Tasks of one user, by the time of their submission. */
export const listOwned = (
  db: Database,
  { userId, platform, ids, order, after, limit }: OwnedTaskCriteria,
): Promise<TaskRow[]> => {
  let query = db
    .selectFrom('tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('platform', '=', platform)
    .where('deleted_at', 'is', null)
  if (ids) query = query.where('public_id', 'in', [...ids])
  if (after !== undefined) query = query.where('id', order === 'asc' ? '>' : '<', after)
  return query.orderBy('id', order).limit(limit).execute()
}

export const find = (db: Database, id: number): Promise<TaskRow | undefined> =>
  db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()

type Attempt = Pick<
  TaskRow,
  'channel_id' | 'credential' | 'action' | 'quota' | 'price_id' | 'receipt_draft' | 'run_at'
>

/** Records the account that is asked next. False: another process has ended the task. */
export const beginAttempt = async (db: Database, id: number, attempt: Attempt): Promise<boolean> =>
  isOne(
    await db
      .updateTable('tasks')
      .set(attempt)
      .where('id', '=', id)
      .where('state', '=', 'submitting')
      .executeTakeFirst(),
  )

/** The callback of an end waits from the statement that makes the end visible. */
const armedCallback = (now: number) => ({
  callback_state: sql<
    string | null
  >`case callback_state when 'armed' then 'waiting' else callback_state end`,
  callback_run_at: sql<
    number | null
  >`case callback_state when 'armed' then ${sql.lit(now)} else callback_run_at end`,
})

type Acceptance = Pick<
  TaskRow,
  'upstream_id' | 'content_sealed' | 'state' | 'settlement' | 'run_at'
> &
  Partial<Pick<TaskRow, 'progress' | 'started_at' | 'finished_at'>>

/** Records that the vendor has accepted the task, or has completed it at once. False: another process has ended it. */
export const accept = async (db: Database, id: number, accepted: Acceptance): Promise<boolean> =>
  isOne(
    await db
      .updateTable('tasks')
      .set({
        ...accepted,
        // Only a task that the caller is given is called back.
        callback_state: sql<
          string | null
        >`case when callback_sealed is null then null else 'armed' end`,
      })
      .where('id', '=', id)
      .where('state', '=', 'submitting')
      .executeTakeFirst(),
  )

/** The vendor accepted a task that was given up before its answer arrived. */
export const markOrphan = async (db: Database, id: number, upstreamId: string): Promise<void> => {
  await db
    .updateTable('tasks')
    .set({ orphan: 1, upstream_id: upstreamId })
    .where('id', '=', id)
    .where('upstream_id', '=', '')
    .execute()
}

/** Matches the task only while the caller holds the lease. */
const leased = (db: Database, { id, attempts }: Pick<TaskRow, 'id' | 'attempts'>) =>
  db.updateTable('tasks').where('id', '=', id).where('attempts', '=', attempts)

export const reschedule = async (
  db: Database,
  task: Pick<TaskRow, 'id' | 'attempts'>,
  runAt: number | null,
): Promise<void> => {
  await leased(db, task).set({ run_at: runAt }).execute()
}

/** Lets the next turn poll a task that still runs. */
export const wake = async (db: Database, id: number, now: number): Promise<void> => {
  await db
    .updateTable('tasks')
    .set({ run_at: now })
    .where('id', '=', id)
    .where('settlement', '=', 'held')
    .where('state', 'in', running)
    .execute()
}

type SavedProgress = Pick<
  TaskRow,
  'state' | 'progress' | 'content_sealed' | 'started_at' | 'run_at'
>

/** Records the progress of a task that still runs. A state never goes back, so a late answer changes nothing. */
export const saveProgress = async (
  db: Database,
  task: Pick<TaskRow, 'id' | 'attempts'>,
  progress: SavedProgress,
): Promise<void> => {
  await leased(db, task).set(progress).where('state', 'in', running).execute()
}

type Decision = Pick<TaskRow, 'state' | 'progress' | 'finished_at' | 'run_at'> & {
  settlement: 'charging' | 'releasing'
} & Partial<Pick<TaskRow, 'fail_reason' | 'orphan' | 'content_sealed' | 'receipt_draft'>>

/**
 * Decides how a task ends, once: only the statement that finds its hold open changes it. The decision is durable before
 * the ledger is asked, and the ledger's operation has the task's id, so that every process settles it alike.
 */
export const decide = async (db: Database, id: number, decision: Decision): Promise<boolean> =>
  isOne(
    await db
      .updateTable('tasks')
      .set(decision)
      .where('id', '=', id)
      .where('settlement', '=', 'held')
      .executeTakeFirst(),
  )

type FinishedSettlement = {
  to: 'charged' | 'released'
  quota: number
  runAt: number | null
  now: number
  /** When its results are copied; null: never. */
  copyAt: number | null
}

/** Records that the decision is posted; from now on callers see the end. */
export const finishSettlement = async (
  db: Database,
  id: number,
  { to, quota, runAt, now, copyAt }: FinishedSettlement,
): Promise<void> => {
  await db
    .updateTable('tasks')
    .set({ settlement: to, quota, run_at: runAt, copy_run_at: copyAt, ...armedCallback(now) })
    .where('id', '=', id)
    .where('settlement', '=', to === 'charged' ? 'charging' : 'releasing')
    .execute()
}

type LateEnd = Pick<TaskRow, 'finished_at' | 'content_sealed' | 'fail_reason' | 'copy_run_at'>

/** Delivers a result that came after the deadline. Its hold was released, so it stays free. */
export const completeLate = async (
  db: Database,
  task: Pick<TaskRow, 'id' | 'attempts'>,
  end: LateEnd,
): Promise<void> => {
  await leased(db, task)
    .set({
      ...{ ...end, state: 'completed', progress: 100, run_at: null },
      // Another end than the one that was called back.
      callback_state: sql<
        string | null
      >`case when callback_state is null then null else 'waiting' end`,
      callback_run_at: sql<
        number | null
      >`case when callback_state is null then null else ${sql.lit(end.finished_at)} end`,
      callback_attempts: 0,
    })
    .where('state', '=', 'expired')
    .where('settlement', '=', 'released')
    .execute()
}

/** Hides an ended task from its owner. False: it still runs. */
export const remove = async (db: Database, id: number, now: number): Promise<boolean> =>
  isOne(
    await db
      .updateTable('tasks')
      .set({ deleted_at: now })
      .where('id', '=', id)
      .where('settlement', 'in', settled)
      .executeTakeFirst(),
  )

const chunkRows = 1_000

/** Deletes tasks that ended before this time and wait for nothing any more. Returns how many. */
export const removeEndedBefore = async (db: Database, before: number): Promise<number> => {
  for (let removed = 0; ; ) {
    const { numDeletedRows } = await db
      .deleteFrom('tasks')
      .where('id', 'in', old =>
        old
          .selectFrom('tasks as old')
          .select('old.id')
          .where('old.finished_at', '<', before)
          .where('old.settlement', 'in', settled)
          .where('old.run_at', 'is', null)
          .where('old.callback_run_at', 'is', null)
          .limit(chunkRows),
      )
      .executeTakeFirst()
    removed += Number(numDeletedRows)
    if (numDeletedRows < BigInt(chunkRows)) return removed
  }
}

const isOne = ({ numUpdatedRows }: { numUpdatedRows: bigint }): boolean => numUpdatedRows === 1n
