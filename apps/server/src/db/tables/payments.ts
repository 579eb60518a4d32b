import type { Generated } from 'kysely'

export type PaymentGatewaysTable = {
  id: Generated<number>
  uuid: string
  type: string
  name: string
  icon: string
  notify_domain: string
  /** USD cents. */
  fixed_fee: number
  /** Hundredths of a percent. */
  percent_fee: number
  currency: string
  /** JSON of the whole configuration, encrypted. */
  config_sealed: string
  sort: number
  enable: number
  /** Seconds. */
  created_at: number
  /** Deleted gateways stay, because their orders may still be paid. */
  deleted_at: number | null
}

export type OrdersTable = {
  id: Generated<number>
  user_id: number
  gateway_id: number
  trade_no: string
  /** The vendor's number of the payment; empty before it is known. */
  gateway_no: string
  /** The vendor's number of the created payment, if later calls need it. */
  reference: string
  /** USD bought. */
  amount: number
  /** Minor units of `currency` to pay. */
  pay_amount: number
  currency: string
  points: number
  /** USD cents. */
  fee: number
  /** Minor units of `currency`. */
  discount: number
  /** The factor of the discount and the exchange rate when the order was made, as decimal text. */
  discount_factor: string
  exchange_rate: string
  status: string
  review_reason: string
  /** Minor units of all refunds, as the vendor last stated them. Refunds of our own stand in `order_reversals`. */
  refunded_total: number
  /** Points taken back from the balance by refunds and disputes. */
  taken_back: number
  /** Counts take-backs and returns, so that each posting has its own source. */
  take_backs: number
  source_ip: string
  /** Seconds. */
  created_at: number
  expires_at: number
  paid_at: number | null
  credited_at: number | null
  closed_at: number | null
  /** Seconds; null: the vendor is not asked any more. */
  next_query_at: number | null
  queries: number
}

/** Exchanges with the vendor about an order. Old rows of one order are bounded, not append-only. */
export type OrderEventsTable = {
  id: Generated<number>
  order_id: number
  gateway_id: number
  /** Seconds. */
  at: number
  kind: string
  source: string
  outcome: string
  detail: string
}

export type OrderReversalsTable = {
  id: Generated<number>
  order_id: number
  /** `refund` or `dispute`. */
  kind: string
  /** Our refund number, or the vendor's number. */
  number: string
  /** Minor units of the order's currency. */
  amount: number
  state: string
  /** Seconds. */
  created_at: number
  /** Seconds; null: the vendor is not asked any more. */
  next_query_at: number | null
}

/** Points of a refund or dispute that the balance did not cover. */
export type DebtsTable = { order_id: number; user_id: number; points: number; created_at: number }
