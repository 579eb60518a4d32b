import { type Selectable, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { NotificationsTable } from '../tables/notifications.ts'
import { listSubscribed } from './notification-targets.ts'

export type NotificationRow = Selectable<NotificationsTable>

export type NewNotification = {
  event: string
  event_key: string
  target_id: number
  /** JSON. */
  facts: string
}

export type EmittedEvent = {
  event: string
  /** Names the fact: emitting it twice has no effect, except in events that are counted. */
  key: string
  /** Owners of the targets; 0: the administrators. */
  userIds: readonly number[]
  facts: Readonly<Record<string, string | number>>
  /** Targets of this kind get no message, because their owner learns of the event in another way. */
  exceptType?: string
}

/** Adds an event for every target that wants it. With a window, events of one key are counted in one message. */
export const emit = async (
  db: Database,
  { event, key, userIds, facts, exceptType }: EmittedEvent,
  { now, windowSeconds = 0 }: { now: number; windowSeconds?: number },
): Promise<void> => {
  for (const { id, type } of await listSubscribed(db, userIds, event)) {
    if (type === exceptType) continue
    const row = { event, event_key: key, target_id: id, facts: JSON.stringify(facts) }
    if (windowSeconds === 0) await add(db, row, now)
    else await count(db, row, windowSeconds, now)
  }
}

const insertRow = (
  db: Database,
  row: NewNotification,
  times: Pick<NotificationsTable, 'window_at' | 'due_at' | 'created_at'>,
) =>
  db.insertInto('notifications').values({
    ...row,
    ...times,
    count: 1,
    state: 'waiting',
    attempts: 0,
    batch: null,
    run_at: times.due_at,
    ended_at: null,
    failure: '',
  })

/** Adds an event once per key and target. Returns the id, or undefined if it exists. */
export const add = async (
  db: Database,
  row: NewNotification,
  now: number,
): Promise<number | undefined> => {
  const inserted = await insertRow(db, row, { window_at: 0, due_at: now, created_at: now })
    .onConflict(conflict => conflict.columns(['event_key', 'target_id', 'window_at']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

const attemptsToCount = 5

/**
 * Counts an event in the row of its window that is not sent yet. The first event is due at once, and the row after it one
 * window later, so that a key and target have one message per window at most.
 */
const count = async (
  db: Database,
  row: NewNotification,
  windowSeconds: number,
  now: number,
): Promise<void> => {
  for (let attempt = 0; attempt < attemptsToCount; attempt += 1) {
    if (await countInWaiting(db, row)) return
    const last = await db
      .selectFrom('notifications')
      .select(['window_at', 'due_at', 'ended_at'])
      .where('event_key', '=', row.event_key)
      .where('target_id', '=', row.target_id)
      .orderBy('window_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const window = now - (now % windowSeconds)
    const lastAt = last ? Math.max(last.due_at, last.ended_at ?? 0) : 0
    const { numInsertedOrUpdatedRows } = await insertRow(db, row, {
      window_at: last ? Math.max(window, last.window_at + windowSeconds) : window,
      due_at: last ? Math.max(now, lastAt + windowSeconds) : now,
      created_at: now,
    })
      .onConflict(conflict => conflict.columns(['event_key', 'target_id', 'window_at']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return
  }
}

/** Rows that were tried keep their content, because their receiver may have it already. */
const countInWaiting = async (
  db: Database,
  { event_key, target_id, facts }: NewNotification,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ count: sql<number>`count + 1`, facts })
    .where('event_key', '=', event_key)
    .where('target_id', '=', target_id)
    .where('state', '=', 'waiting')
    .where('batch', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Selects the rows that may be sent now. A row waits for older ones of its key, so that they stay in order. */
const dueRows = (db: Database, now: number) =>
  db
    .selectFrom('notifications as due')
    .where('due.state', '=', 'waiting')
    .where('due.run_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as older')
            .select('older.id')
            .whereRef('older.event_key', '=', 'due.event_key')
            .whereRef('older.target_id', '=', 'due.target_id')
            // Windows of a key grow with its rows. Unlike the id they stand in the index of the key.
            .whereRef('older.window_at', '<', 'due.window_at')
            .where('older.state', '=', 'waiting'),
        ),
      ),
    )

/** The free targets that have a due row. */
export const dueTargets = (db: Database, now: number, nowMs: number) =>
  db
    .selectFrom('notification_targets as target')
    .selectAll()
    .where('target.next_at_ms', '<=', nowMs)
    // SQLite joins the rows of an "exists" and reads all of them. Of this subquery it reads the first one.
    .where(
      dueRows(db, now).select('due.id').where(sql<boolean>`due.target_id = target.id`).limit(1),
      'is not',
      null,
    )

/** Finds the oldest due row of the free target that waits longest. */
export const findDue = async (db: Database, now: number, nowMs: number, targetId?: number) => {
  const target = await dueTargets(db, now, nowMs)
    .$if(targetId !== undefined, targets => targets.where('target.id', '=', targetId!))
    .orderBy('target.next_at_ms')
    .limit(1)
    .executeTakeFirst()
  if (!target) return undefined
  const row = await dueRows(db, now)
    .select(['due.id as row_id', 'due.event', 'due.batch', 'due.due_at'])
    .where('due.target_id', '=', target.id)
    .orderBy('due.run_at')
    .orderBy('due.id')
    .limit(1)
    .executeTakeFirst()
  return row && { ...target, ...row }
}

export type DueNotification = NonNullable<Awaited<ReturnType<typeof findDue>>>

/** Moves a row that was never tried to a later time. */
export const postpone = async (db: Database, id: number, runAt: number): Promise<void> => {
  await db
    .updateTable('notifications')
    .set({ run_at: runAt })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('batch', 'is', null)
    .execute()
}

/** Makes a message of a row and, with `others`, of further due rows of its target that are in no message yet. */
export const startBatch = async (
  db: Database,
  { row_id, id }: Pick<DueNotification, 'row_id' | 'id'>,
  others: { now: number; except: readonly string[]; most: number } | undefined,
): Promise<void> => {
  const alone = db.selectFrom('notifications').select('id').where('id', '=', row_id)
  const together = others
    ? db
        .selectFrom('notifications')
        .select('id')
        .where('target_id', '=', id)
        .where('state', '=', 'waiting')
        .where('batch', 'is', null)
        .where('run_at', '<=', others.now)
        .where('event', 'not in', others.except)
        .orderBy('id')
        .limit(others.most)
    : alone
  await db
    .updateTable('notifications')
    .set({ batch: row_id })
    .where(eb => eb.or([eb('id', 'in', together), eb('id', '=', row_id)]))
    .where('batch', 'is', null)
    .execute()
}

/** Leases the rows of a message. After the death of their sender they are due again. */
export const leaseBatch = async (
  db: Database,
  batch: number,
  leaseEnds: number,
): Promise<NotificationRow[]> => {
  const rows = await db
    .updateTable('notifications')
    .set({ run_at: leaseEnds, attempts: sql<number>`attempts + 1` })
    .where('batch', '=', batch)
    .where('state', '=', 'waiting')
    .returningAll()
    .execute()
  return rows.sort((a, b) => a.id - b.id)
}

/** Matches the rows of a message only while the caller holds their lease. */
const leased = (db: Database, rows: readonly NotificationRow[]) =>
  db
    .updateTable('notifications')
    .where('batch', '=', rows[0]!.batch)
    .where('attempts', '=', rows[0]!.attempts)
    .where('state', '=', 'waiting')

export const end = async (
  db: Database,
  rows: readonly NotificationRow[],
  ending: { state: 'sent' | 'failed'; failure: string; ended_at: number },
): Promise<void> => {
  await leased(db, rows).set(ending).execute()
}

export const retryAt = async (
  db: Database,
  rows: readonly NotificationRow[],
  runAt: number,
  failure: string,
): Promise<void> => {
  await leased(db, rows).set({ run_at: runAt, failure }).execute()
}

/** Keeps the distance of a window after a message that was sent late. */
export const spaceLater = async (
  db: Database,
  { event_key, target_id, id }: NotificationRow,
  runAt: number,
): Promise<void> => {
  await db
    .updateTable('notifications')
    .set({ run_at: runAt, due_at: runAt })
    .where('event_key', '=', event_key)
    .where('target_id', '=', target_id)
    .where('id', '>', id)
    .where('state', '=', 'waiting')
    .where('batch', 'is', null)
    .where('run_at', '<', runAt)
    .execute()
}

/** Marks the waiting rows of a target that was switched off as failed. */
export const failWaiting = async (
  db: Database,
  targetId: number,
  failure: string,
  now: number,
): Promise<void> => {
  await db
    .updateTable('notifications')
    .set({ state: 'failed', failure, ended_at: now })
    .where('target_id', '=', targetId)
    .where('state', '=', 'waiting')
    .execute()
}
