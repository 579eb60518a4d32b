import type { Database } from '../index.ts'
import type { NotificationRow } from './notifications.ts'
import { type Paging, selectPage } from './paging.ts'
import { columnRefs } from './rows.ts'

type DeliveryFilter = Paging & {
  targetId?: number | undefined
  state?: NotificationRow['state'] | undefined
}

const ofUser = (db: Database, userId: number) =>
  db
    .selectFrom('notifications')
    .innerJoin('notification_targets', 'notification_targets.id', 'notifications.target_id')
    .where('notification_targets.user_id', '=', userId)
    .selectAll('notifications')
    .select(['notification_targets.name as target_name', 'notification_targets.language'])

export const list = (
  db: Database,
  userId: number,
  { targetId, state, ...paging }: DeliveryFilter,
) => {
  const query = ofUser(db, userId)
    .$if(targetId !== undefined, rows => rows.where('target_id', '=', targetId!))
    .$if(state !== undefined, rows => rows.where('state', '=', state!))
  return selectPage(db, query, paging, columnRefs('notifications', 'created_at', 'ended_at'))
}

export type DeliveryRow = Awaited<ReturnType<typeof list>>['data'][number]

export const find = (db: Database, userId: number, id: number) =>
  ofUser(db, userId).where('notifications.id', '=', id).executeTakeFirst()

/** Makes a failed row due again. A message of one row keeps its id. Returns false when it has not failed. */
export const resend = async (
  db: Database,
  userId: number,
  id: number,
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ state: 'waiting', attempts: 0, batch: null, run_at: now, ended_at: null })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('target_id', 'in', eb =>
      eb
        .selectFrom('notification_targets')
        .select('id')
        .where('user_id', '=', userId)
        .where('enabled', '=', 1),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes rows that ended before this time. Until then their keys block duplicates. */
export const removeBefore = async (db: Database, before: number): Promise<void> => {
  await db
    .deleteFrom('notifications')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', before)
    .execute()
}
