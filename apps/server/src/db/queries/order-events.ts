import type { Insertable } from 'kysely'
import type { Database } from '../index.ts'
import type { OrderEventsTable } from '../tables/payments.ts'

export const insert = async (db: Database, row: Insertable<OrderEventsTable>): Promise<void> => {
  await db.insertInto('order_events').values(row).execute()
}

const shown = 50

/** The latest exchanges with the vendor about an order, newest first. */
export const listOf = (db: Database, orderId: number) =>
  db
    .selectFrom('order_events')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(shown)
    .execute()

/** The latest exchange of one kind. */
export const findLatest = (db: Database, orderId: number, kind: string) =>
  db
    .selectFrom('order_events')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Removes refused notices that belong to no order. */
export const removeUnassigned = async (db: Database, before: number): Promise<void> => {
  await db.deleteFrom('order_events').where('order_id', '=', 0).where('at', '<', before).execute()
}
