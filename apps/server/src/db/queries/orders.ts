import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { OrderReversalsTable, OrdersTable } from '../tables/payments.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'
import { matchesKeyword } from './text.ts'

export type OrderRow = Selectable<OrdersTable>
export type ReversalRow = Selectable<OrderReversalsTable>
export type ListedOrder = NonNullable<Awaited<ReturnType<typeof findListed>>>

export const insert = async (db: Database, row: Insertable<OrdersTable>): Promise<number> =>
  (await db.insertInto('orders').values(row).returning('id').executeTakeFirstOrThrow()).id

export const find = (db: Database, id: number) =>
  db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

export const findByTradeNo = (db: Database, tradeNo: string) =>
  db.selectFrom('orders').selectAll().where('trade_no', '=', tradeNo).executeTakeFirst()

/** Reads the row and holds its lock until the end of the transaction, so that parallel notices take turns. */
export const lock = (tx: Database, id: number) =>
  tx
    .updateTable('orders')
    .set({ queries: sql<number>`queries` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Marks an order as credited unless it is or was. Of parallel attempts one gets true. */
export const markCredited = (
  tx: Database,
  id: number,
  change: { gateway_no: string; paid_at: number; credited_at: number },
) =>
  changedOne(
    tx
      .updateTable('orders')
      .set({ ...change, status: 'credited', next_query_at: null })
      .where('id', '=', id)
      .where('credited_at', 'is', null)
      .where('status', 'in', ['pending', 'paid', 'closed', 'review']),
  )

export const update = async (
  tx: Database,
  id: number,
  change: Updateable<OrdersTable>,
): Promise<void> => {
  await tx.updateTable('orders').set(change).where('id', '=', id).execute()
}

/** Moves an order that is in one of the states. Returns false when it is in another one by now. */
export const move = (
  db: Database,
  id: number,
  from: readonly string[],
  change: Updateable<OrdersTable>,
) =>
  changedOne(
    db
      .updateTable('orders')
      .set(change)
      .where('id', '=', id)
      .where('status', 'in', [...from]),
  )

/** Orders whose vendor is to be asked now, those that wait longest first. */
export const listDue = (db: Database, now: number, limit: number) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('next_query_at', '<=', now)
    .orderBy('next_query_at')
    .limit(limit)
    .execute()

/** Takes the turn to ask the vendor. Of parallel attempts one gets true. */
export const claimQuery = (db: Database, order: OrderRow, nextQueryAt: number) =>
  changedOne(
    db
      .updateTable('orders')
      .set({ next_query_at: nextQueryAt, queries: order.queries + 1 })
      .where('id', '=', order.id)
      .where('queries', '=', order.queries)
      .where('next_query_at', '=', order.next_query_at)
      .where('status', 'in', ['pending', 'paid']),
  )

const listed = (db: Database) =>
  db
    .selectFrom('orders')
    .leftJoin('users', 'users.id', 'orders.user_id')
    .leftJoin('payment_gateways', 'payment_gateways.id', 'orders.gateway_id')
    .leftJoin('debts', 'debts.order_id', 'orders.id')
    .selectAll('orders')
    .select(eb => [
      'users.username as username',
      'payment_gateways.name as gateway_name',
      'payment_gateways.icon as gateway_icon',
      'payment_gateways.type as gateway_type',
      'debts.points as debt',
      eb
        .selectFrom('order_reversals')
        .select(sql<number | string>`coalesce(sum(order_reversals.amount), 0)`.as('total'))
        .whereRef('order_reversals.order_id', '=', 'orders.id')
        .where('order_reversals.kind', '=', 'refund')
        .where('order_reversals.state', 'in', ['pending', 'done'])
        .as('refunds_done'),
    ])

export const findListed = (db: Database, id: number) =>
  listed(db).where('orders.id', '=', id).executeTakeFirst()

export const findOwn = (db: Database, userId: number, tradeNo: string) =>
  listed(db)
    .where('orders.user_id', '=', userId)
    .where('orders.trade_no', '=', tradeNo)
    .executeTakeFirst()

type OrderFilter = Paging & {
  keyword?: string | undefined
  user_id?: number | undefined
  gateway_id?: number | undefined
  trade_no?: string | undefined
  gateway_no?: string | undefined
  status?: string | undefined
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
}

const sortable = ['gateway_id', 'user_id', 'status', 'created_at']

export const list = (db: Database, filter: OrderFilter) => {
  const { keyword, user_id, gateway_id, trade_no, gateway_no, status } = filter
  const { start_timestamp: from, end_timestamp: until } = filter
  const query = listed(db)
    .$if(!!keyword, rows =>
      rows.where(matchesKeyword(keyword!, ['orders.trade_no', 'orders.gateway_no'], 'orders.id')),
    )
    .$if(!!user_id, rows => rows.where('orders.user_id', '=', user_id!))
    .$if(!!gateway_id, rows => rows.where('orders.gateway_id', '=', gateway_id!))
    .$if(!!trade_no, rows => rows.where('orders.trade_no', '=', trade_no!))
    .$if(!!gateway_no, rows => rows.where('orders.gateway_no', '=', gateway_no!))
    .$if(!!status, rows => rows.where('orders.status', '=', status!))
    .$if(!!from, rows => rows.where('orders.created_at', '>=', from!))
    .$if(!!until, rows => rows.where('orders.created_at', '<=', until!))
  return selectPage(db, query, filter, columnRefs('orders', ...sortable))
}

export const listReversals = (db: Database, orderId: number) =>
  db
    .selectFrom('order_reversals')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()

/** Inserts a refund or dispute. Returns false when its number is known already. */
export const insertReversal = async (
  db: Database,
  row: Insertable<OrderReversalsTable>,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('order_reversals')
    .values(row)
    .onConflict(conflict => conflict.columns(['order_id', 'kind', 'number']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const findReversal = (
  db: Database,
  { order_id, kind, number }: Pick<OrderReversalsTable, 'order_id' | 'kind' | 'number'>,
) =>
  db
    .selectFrom('order_reversals')
    .selectAll()
    .where('order_id', '=', order_id)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .executeTakeFirst()

/** Refunds under way whose vendor is to be asked now, those that wait longest first. */
export const listDueRefunds = (db: Database, now: number, limit: number) =>
  db
    .selectFrom('order_reversals')
    .selectAll()
    .where('next_query_at', '<=', now)
    .orderBy('next_query_at')
    .limit(limit)
    .execute()

/** Takes the turn to ask the vendor for a refund. Of parallel attempts one gets true. */
export const claimRefundQuery = (
  db: Database,
  { id, next_query_at }: Pick<ReversalRow, 'id' | 'next_query_at'>,
  next: number | null,
) =>
  changedOne(
    db
      .updateTable('order_reversals')
      .set({ next_query_at: next })
      .where('id', '=', id)
      .where('next_query_at', '=', next_query_at)
      .where('state', '=', 'pending'),
  )

/** Moves a refund or dispute that is still open. A state that is final stays, whatever arrives later. */
export const endReversal = (
  db: Database,
  { order_id, kind, number }: Pick<OrderReversalsTable, 'order_id' | 'kind' | 'number'>,
  state: string,
) =>
  changedOne(
    db
      .updateTable('order_reversals')
      .set({ state, next_query_at: null })
      .where('order_id', '=', order_id)
      .where('kind', '=', kind)
      .where('number', '=', number)
      .where('state', 'in', ['pending', 'open']),
  )

/** The postings about an order, oldest first. Their sources are exact, so that a unique index finds them. */
export const listPostings = (db: Database, { id, take_backs }: OrderRow) => {
  const reversals = Array.from({ length: take_backs }, (_, n) => `order:${id}:${n + 1}`)
  return db
    .selectFrom('transfers')
    .select(['id', 'at', 'kind', 'credit', 'amount', 'usage'])
    .where('kind', 'in', ['order', 'refund', 'debt'])
    .where('source', 'in', [`order:${id}`, ...reversals])
    .orderBy('id')
    .execute()
}
