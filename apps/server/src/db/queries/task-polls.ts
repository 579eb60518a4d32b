import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { TaskRow } from './tasks.ts'

/** The tasks that one credential of a channel submitted. */
export type TaskAccountKey = { channelId: number; credential: string }

/** A running task, or one that expired and may still be delivered. */
const atVendor = sql<boolean>`state <> 'submitting' and (settlement = 'held' or (state = 'expired' and settlement = 'released'))`

/** The accounts that have tasks to be polled. */
export const listDueAccounts = (db: Database, now: number): Promise<TaskAccountKey[]> =>
  db
    .selectFrom('tasks')
    .select(['channel_id as channelId', 'credential'])
    .distinct()
    .where('run_at', '<=', now)
    .where(atVendor)
    .execute()

/** Since when the poll that is due longest has waited. Undefined: none is due. */
export const oldestDuePoll = async (db: Database, now: number): Promise<number | undefined> => {
  const row = await db
    .selectFrom('tasks')
    .select('run_at')
    .where('run_at', '<=', now)
    .where(atVendor)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return row?.run_at ?? undefined
}

/** Read-only check before `leaseUnsettled`: usually nothing is due. */
export const isSettlementDue = async (db: Database, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('run_at', '<=', now)
    .where(sql<boolean>`not (${atVendor})`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type LeaseCriteria = { now: number; leaseEnds: number; limit: number }

/** Leases interrupted submissions and decisions that are not posted yet. Until `leaseEnds` no other node receives them. */
export const leaseUnsettled = (db: Database, criteria: LeaseCriteria): Promise<TaskRow[]> =>
  lease(db, criteria, sql<boolean>`not (${atVendor})`)

export type PollTurn =
  /** Nothing is due, or the pace of the channel forbids a poll for longer than `waitMaxMs`. */
  | undefined
  /** `at`: Unix milliseconds from which these may be polled. */
  | { at: number; tasks: TaskRow[] }

type TurnCriteria = LeaseCriteria & {
  /** The turn begins no earlier. */
  nowMs: number
  /** The time that passes before the channel's next turn. */
  intervalMs: number
  waitMaxMs: number
  /** Tasks that the caller has leased already wait for this turn. */
  hasLeased: boolean
}

/**
 * Takes the next turn of a channel and leases tasks of one of its accounts for it. The channel's row is locked first, so
 * that nodes take turns one after another and never lease the same task.
 */
export const takePollTurn = (
  db: Database,
  { channelId, credential }: TaskAccountKey,
  { nowMs, intervalMs, waitMaxMs, hasLeased, ...criteria }: TurnCriteria,
): Promise<PollTurn> =>
  db.transaction().execute(async tx => {
    const next = await movePace(tx, channelId, nowMs, intervalMs)
    const at = next - intervalMs
    const isTooFar = at - nowMs > waitMaxMs
    const tasks =
      isTooFar || criteria.limit === 0
        ? []
        : await lease(
            tx,
            criteria,
            sql<boolean>`channel_id = ${channelId} and credential = ${credential} and ${atVendor}`,
          )
    if (tasks.length > 0 || (hasLeased && !isTooFar)) return { at, tasks }
    await setPace(tx, channelId, at)
    return undefined
  })

/** Keeps all nodes from polling a channel until then. */
export const postponePolls = async (
  db: Database,
  channelId: number,
  untilMs: number,
): Promise<void> => {
  await db
    .updateTable('task_polls')
    .set({ next_at: untilMs })
    .where('channel_id', '=', channelId)
    .where('next_at', '<', untilMs)
    .execute()
}

const movePace = async (
  db: Database,
  channel_id: number,
  nowMs: number,
  intervalMs: number,
): Promise<number> => {
  const { next_at } = await db
    .insertInto('task_polls')
    .values({ channel_id, next_at: nowMs + intervalMs })
    .onConflict(conflict =>
      conflict.column('channel_id').doUpdateSet({
        next_at: sql<number>`case when task_polls.next_at > ${nowMs} then task_polls.next_at else ${nowMs} end + ${intervalMs}`,
      }),
    )
    .returning('next_at')
    .executeTakeFirstOrThrow()
  return next_at
}

const setPace = async (db: Database, channelId: number, next_at: number): Promise<void> => {
  await db.updateTable('task_polls').set({ next_at }).where('channel_id', '=', channelId).execute()
}

/** Leases the tasks that are due longest. */
const lease = (
  db: Database,
  { now, leaseEnds, limit }: LeaseCriteria,
  isWanted: ReturnType<typeof sql<boolean>>,
): Promise<TaskRow[]> =>
  db
    .updateTable('tasks')
    .set({ run_at: leaseEnds, attempts: sql<number>`attempts + 1` })
    .where('id', 'in', due =>
      due
        .selectFrom('tasks')
        .select('id')
        .where('run_at', '<=', now)
        .where(isWanted)
        .orderBy('run_at')
        .orderBy('id')
        .limit(limit),
    )
    .where('run_at', '<=', now)
    .returningAll()
    .execute()
