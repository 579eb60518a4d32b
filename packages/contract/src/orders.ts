import { z } from 'zod'
import { get, Id, ListQuery, NoInput, orderQuery, pageOf, post, resource } from './resource.ts'
import { topUpMax } from './top-up-price.ts'

/**
 * pending: not paid. paid: the vendor has the money, and the credit is being tried again. credited: done. closed: unpaid
 * and closed; a late payment is credited all the same. refunded: all of it. disputed: the payer disputes or has won.
 * review: the vendor's facts differ from the order, so a person decides.
 */
export const orderStatuses = [
  'pending',
  'paid',
  'credited',
  'closed',
  'refunded',
  'disputed',
  'review',
] as const
const OrderStatus = z.enum(orderStatuses)
export type OrderStatus = z.output<typeof OrderStatus>

const orderFields = {
  id: z.number(),
  user_id: z.number(),
  gateway_id: z.number(),
  gateway_name: z.string(),
  gateway_icon: z.string(),
  trade_no: z.string(),
  /** The vendor's number of the payment; empty before it is known. */
  gateway_no: z.string(),
  /** USD bought. */
  amount: z.number(),
  /** Money to pay in `order_currency`, two decimals. */
  order_amount: z.number(),
  order_currency: z.string(),
  /** Points to credit. */
  quota: z.number(),
  /** USD. */
  fee: z.number(),
  /** In the currency of the order. */
  discount: z.number(),
  status: OrderStatus,
  /** Money that went back or is on its way, in the currency of the order. */
  refunded_amount: z.number(),
  created_at: z.number(),
  /** 0: not yet. */
  paid_at: z.number(),
  credited_at: z.number(),
  closed_at: z.number(),
}

/** An order as its owner sees it. */
export const OwnOrder = z.object(orderFields)
export type OwnOrder = z.output<typeof OwnOrder>

/** The facts that differ: `amount`, `currency`, `merchant`, `app`, or `unverified` for an answer without authentication. */
const ReviewReason = z.enum(['', 'amount', 'currency', 'merchant', 'app', 'unverified'])

export const Order = z.object({
  ...orderFields,
  username: z.string(),
  /** Empty unless the order is or was in review. */
  review_reason: ReviewReason,
  /** Points that a refund or dispute could not take back, because the balance did not cover them. */
  debt: z.number(),
  /** When the vendor is asked next; 0: not any more. */
  next_query_at: z.number(),
  /** Times at which the vendor was asked. */
  queries: z.number(),
})
export type Order = z.output<typeof Order>

/** One exchange with the vendor about an order. */
export const OrderEvent = z.object({
  id: z.number(),
  at: z.number(),
  /**
   * `notice`: the vendor came. `debt`: a later top-up paid a debt of the order. `group`: the order moved its user to
   * another group. The others are calls of ours, or `manual` for an administrator's decision.
   */
  kind: z.enum(['create', 'notice', 'query', 'close', 'refund', 'manual', 'debt', 'group']),
  /** IP address of a notice, or the name of the administrator. */
  source: z.string(),
  /**
   * `accepted`, `duplicate`, `ignored`, a refusal (`signature`, `malformed`, `expired`, `merchant`, `app`,
   * `configuration`), a mismatch (`amount`, `currency`, `unverified`), the state that a query returned, or a fault code.
   */
  outcome: z.string(),
  /** The vendor's text, a remark, or sums. */
  detail: z.string(),
})
export type OrderEvent = z.output<typeof OrderEvent>

/** A refund or dispute of an order. */
export const OrderReversal = z.object({
  id: z.number(),
  kind: z.enum(['refund', 'dispute']),
  /** Our refund number, or the vendor's number. */
  number: z.string(),
  /** In the currency of the order. */
  amount: z.number(),
  state: z.enum(['pending', 'done', 'failed', 'open', 'won', 'lost']),
  created_at: z.number(),
})
export type OrderReversal = z.output<typeof OrderReversal>

/** A posting of the ledger about an order. */
export const OrderPosting = z.object({
  id: z.number(),
  at: z.number(),
  /** `order`: the credit. `refund`: taken back by a refund or dispute, or given back. `debt`: paid by a later top-up. */
  kind: z.enum(['order', 'refund', 'debt']),
  /** Positive: the balance got them. */
  points: z.number(),
  /** The top-up that paid a debt: `order:7` or `redemption:7`. Else empty. */
  by: z.string(),
})
export type OrderPosting = z.output<typeof OrderPosting>

export const OrderDetail = z.object({
  order: Order,
  /** False: money is returned in the vendor's own console, and a refund here only records it and takes the points back. */
  can_refund: z.boolean(),
  last_notice: OrderEvent.nullable(),
  last_query: OrderEvent.nullable(),
  /** The latest 50, newest first. */
  events: z.array(OrderEvent),
  reversals: z.array(OrderReversal),
  /** Oldest first. */
  postings: z.array(OrderPosting),
})
export type OrderDetail = z.output<typeof OrderDetail>

/** A gateway as buyers see it. */
export const PayGateway = z.object({
  uuid: z.string(),
  name: z.string(),
  icon: z.string(),
  fixed_fee: z.number(),
  percent_fee: z.number(),
  currency: z.string(),
  sort: z.number(),
})
export type PayGateway = z.output<typeof PayGateway>

export const PlacedOrder = z.object({
  trade_no: z.string(),
  /** 1: open or submit `url`. 2: show `url` as a QR code. */
  type: z.union([z.literal(1), z.literal(2)]),
  data: z.object({
    url: z.string(),
    /** Of a form to submit; absent: open the address. */
    method: z.enum(['GET', 'POST']).optional(),
    params: z.record(z.string(), z.string()).optional(),
  }),
})
export type PlacedOrder = z.output<typeof PlacedOrder>

const TradeNo = z.object({ trade_no: z.string().min(1).max(64) })

const OwnList = ListQuery.extend({ order: orderQuery('id', 'created_at', 'status') })

const List = ListQuery.extend({
  user_id: z.number().int().optional(),
  gateway_id: z.number().int().optional(),
  trade_no: z.string().trim().max(64).optional(),
  gateway_no: z.string().trim().max(100).optional(),
  status: OrderStatus.optional(),
  start_timestamp: z.number().int().optional(),
  end_timestamp: z.number().int().optional(),
  order: orderQuery('id', 'gateway_id', 'user_id', 'status', 'created_at'),
})

export const OrderCredit = Id.extend({
  /** The reason, for the audit log. */
  remark: z.string().trim().min(1).max(500),
})

export const OrderRefund = Id.extend({
  /** A number that the client makes up. The same number never refunds twice. */
  number: z.string().regex(/^[\w-]{8,32}$/),
  /** In the currency of the order. */
  amount: z.number().positive().max(100_000_000),
})

export const orders = resource('/api', {
  gateways: get('/user/payment', {
    access: 'user',
    input: NoInput,
    response: z.array(PayGateway),
    summary: 'Gateways that can be paid with, highest `sort` first',
  }),
  place: post('/user/order', {
    access: 'user',
    input: z.object({
      /** Of the gateway. */
      uuid: z.string().min(1).max(32),
      /** USD to buy. */
      amount: z.number().int().min(1).max(topUpMax),
    }),
    response: PlacedOrder,
    summary: 'Makes an order and returns the way to pay it',
  }),
  status: get('/user/order/status', {
    access: 'user',
    input: TradeNo,
    response: OwnOrder,
    summary: 'Succeeds once the order is credited, as in One Hub; 409 before',
  }),
  own: get('/user/order/:trade_no', {
    access: 'user',
    input: TradeNo,
    response: OwnOrder,
    summary: 'One order of the caller, in any state',
  }),
  ownList: get('/user/order', {
    access: 'user',
    input: OwnList,
    response: pageOf(OwnOrder),
    summary: 'Orders of the caller',
  }),
  list: get('/payment/order', {
    access: 'admin',
    input: List,
    response: pageOf(Order),
    summary: 'Orders of all users',
  }),
  get: get('/payment/order/:id', {
    access: 'admin',
    input: Id,
    response: OrderDetail,
    summary: 'One order, with what the vendor said about it',
  }),
  ask: post('/payment/order/:id/ask', {
    access: 'admin',
    input: Id,
    response: OrderDetail,
    summary: 'Asks the vendor for the order now and does what follows',
  }),
  credit: post('/payment/order/:id/credit', {
    access: 'admin',
    input: OrderCredit,
    response: OrderDetail,
    summary: 'Credits an unpaid order or one in review by hand',
  }),
  refund: post('/payment/order/:id/refund', {
    access: 'admin',
    input: OrderRefund,
    response: OrderDetail,
    summary: 'Returns money through the vendor, where that is possible, and takes the points back',
  }),
})
