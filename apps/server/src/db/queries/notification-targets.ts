import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { NotificationTargetsTable } from '../tables/notifications.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'
import { matchesKeyword } from './text.ts'

export type TargetRow = Selectable<NotificationTargetsTable>

/** The owner of the targets of administrators. */
export const administrators = 0

/** `keyword` is an id or the beginning of a name. */
export const list = (
  db: Database,
  userId: number,
  { keyword, ...paging }: Paging & { keyword?: string | undefined },
) => {
  const query = db
    .selectFrom('notification_targets')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(!!keyword, rows => rows.where(matchesKeyword(keyword!, ['name'], 'id')))
  return selectPage(db, query, paging, columnRefs('notification_targets'))
}

export const listEnabledOfSite = (db: Database) =>
  db
    .selectFrom('notification_targets')
    .select(['id', 'name'])
    .where('user_id', '=', administrators)
    .where('enabled', '=', 1)
    .execute()

export const find = (db: Database, userId: number, id: number) =>
  db
    .selectFrom('notification_targets')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const countOfUser = async (db: Database, userId: number): Promise<number> => {
  const { n } = await db
    .selectFrom('notification_targets')
    .select(eb => eb.fn.countAll<number | string>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The enabled targets of these owners that want an event, in the order of their ids, so that no two writers deadlock. */
export const listSubscribed = async (
  db: Database,
  userIds: readonly number[],
  event: string,
): Promise<{ id: number; type: string }[]> => {
  const rows = await db
    .selectFrom('notification_targets')
    .select(['id', 'type', 'events'])
    .where('user_id', 'in', userIds)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute()
  return rows.filter(row => (JSON.parse(row.events) as string[]).includes(event))
}

export const insert = async (
  db: Database,
  row: Insertable<NotificationTargetsTable>,
): Promise<number> => {
  const inserted = db.insertInto('notification_targets').values(row).returning('id')
  return (await inserted.executeTakeFirstOrThrow()).id
}

export const update = (
  db: Database,
  userId: number,
  id: number,
  change: Updateable<NotificationTargetsTable>,
) =>
  changedOne(
    db
      .updateTable('notification_targets')
      .set(change)
      .where('id', '=', id)
      .where('user_id', '=', userId),
  )

/** Deletes a target with its deliveries. Returns false when there is none. */
export const remove = async (db: Database, userId: number, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('notification_targets')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 1n)
    await db.deleteFrom('notifications').where('target_id', '=', id).execute()
  return numDeletedRows === 1n
}

export const removeAllOfUser = async (db: Database, userId: number): Promise<void> => {
  const rows = await db
    .deleteFrom('notification_targets')
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  const ids = rows.map(row => row.id)
  if (ids.length > 0) await db.deleteFrom('notifications').where('target_id', 'in', ids).execute()
}

/** Reserves a target for one sender until the time. False: another sender has it, or the service needs a pause. */
export const reserve = (db: Database, id: number, nowMs: number, untilMs: number) =>
  changedOne(
    db
      .updateTable('notification_targets')
      .set({ next_at_ms: untilMs })
      .where('id', '=', id)
      .where('next_at_ms', '<=', nowMs),
  )

/** Sets when the next message may be sent, unless the reservation has ended and another sender has the target. */
export const release = async (
  db: Database,
  id: number,
  reservedUntilMs: number,
  nextAtMs: number,
): Promise<void> => {
  await db
    .updateTable('notification_targets')
    .set({ next_at_ms: nextAtMs })
    .where('id', '=', id)
    .where('next_at_ms', '=', reservedUntilMs)
    .execute()
}
