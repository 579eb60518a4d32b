import {
  gatewayIcon,
  type Order,
  type OrderEvent,
  type OrderPosting,
  type OrderReversal,
  type OwnOrder,
} from '@hub/contract'
import type { Selectable } from 'kysely'
import type { ListedOrder, listPostings } from '../../db/queries/orders.ts'
import type { OrderEventsTable, OrderReversalsTable } from '../../db/tables/payments.ts'

type PostingRow = Awaited<ReturnType<typeof listPostings>>[number]

export const toOwnOrder = (row: ListedOrder): OwnOrder => ({
  id: row.id,
  user_id: row.user_id,
  gateway_id: row.gateway_id,
  gateway_name: row.gateway_name ?? '',
  gateway_icon: row.gateway_type
    ? gatewayIcon({ type: row.gateway_type, icon: row.gateway_icon ?? '' })
    : '',
  trade_no: row.trade_no,
  gateway_no: row.gateway_no,
  amount: row.amount,
  order_amount: row.pay_amount / 100,
  order_currency: row.currency,
  quota: row.points,
  fee: row.fee / 100,
  discount: row.discount / 100,
  status: row.status as OwnOrder['status'],
  refunded_amount: Math.max(row.refunded_total, Number(row.refunds_done ?? 0)) / 100,
  created_at: row.created_at,
  paid_at: row.paid_at ?? 0,
  credited_at: row.credited_at ?? 0,
  closed_at: row.closed_at ?? 0,
})

export const toOrder = (row: ListedOrder): Order => ({
  ...toOwnOrder(row),
  username: row.username ?? '',
  review_reason: row.review_reason as Order['review_reason'],
  debt: row.debt ?? 0,
  next_query_at: row.next_query_at ?? 0,
  queries: row.queries,
})

export const toEvent = (row: Selectable<OrderEventsTable>): OrderEvent => ({
  id: row.id,
  at: row.at,
  kind: row.kind as OrderEvent['kind'],
  source: row.source,
  outcome: row.outcome,
  detail: row.detail,
})

export const toReversal = (row: Selectable<OrderReversalsTable>): OrderReversal => ({
  id: row.id,
  kind: row.kind as OrderReversal['kind'],
  number: row.number,
  amount: row.amount / 100,
  state: row.state as OrderReversal['state'],
  created_at: row.created_at,
})

export const toPosting = ({ id, at, kind, credit, amount, usage }: PostingRow): OrderPosting => ({
  id,
  at,
  kind: kind as OrderPosting['kind'],
  points: credit > 0 ? amount : -amount,
  by: kind === 'debt' ? String(JSON.parse(usage).by ?? '') : '',
})
