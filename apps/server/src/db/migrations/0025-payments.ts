import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'payment_gateways',
    columns: {
      id: 'id',
      uuid: 'text',
      type: 'text',
      name: 'text',
      icon: 'text',
      notify_domain: 'text',
      fixed_fee: 'integer',
      percent_fee: 'integer',
      currency: 'text',
      config_sealed: 'text',
      sort: 'integer',
      enable: 'integer',
      created_at: 'integer',
      deleted_at: 'integer?',
    },
    unique: [['uuid']],
    checks: ['fixed_fee >= 0', 'percent_fee >= 0', 'enable in (0, 1)'],
  },
  {
    name: 'orders',
    columns: {
      id: 'id',
      user_id: 'integer',
      gateway_id: 'integer',
      trade_no: 'text',
      gateway_no: 'text',
      reference: 'text',
      amount: 'integer',
      pay_amount: 'integer',
      currency: 'text',
      points: 'integer',
      fee: 'integer',
      discount: 'integer',
      discount_factor: 'text',
      exchange_rate: 'text',
      status: 'text',
      review_reason: 'text',
      refunded_total: 'integer',
      taken_back: 'integer',
      take_backs: 'integer',
      source_ip: 'text',
      created_at: 'integer',
      expires_at: 'integer',
      paid_at: 'integer?',
      credited_at: 'integer?',
      closed_at: 'integer?',
      next_query_at: 'integer?',
      queries: 'integer',
    },
    unique: [['trade_no']],
    checks: [
      "status in ('pending', 'paid', 'credited', 'closed', 'refunded', 'disputed', 'review')",
      'amount > 0',
      'pay_amount > 0',
      'points > 0',
      'taken_back >= 0',
      'taken_back <= points',
      "status <> 'credited' or credited_at is not null",
    ],
  },
  {
    name: 'order_events',
    columns: {
      id: 'id',
      order_id: 'integer',
      gateway_id: 'integer',
      at: 'integer',
      kind: 'text',
      source: 'text',
      outcome: 'text',
      detail: 'text',
    },
  },
  {
    name: 'order_reversals',
    columns: {
      id: 'id',
      order_id: 'integer',
      kind: 'text',
      number: 'text',
      amount: 'integer',
      state: 'text',
      created_at: 'integer',
    },
    unique: [['order_id', 'kind', 'number']],
    checks: [
      "(kind = 'refund' and state in ('pending', 'done', 'failed')) or (kind = 'dispute' and state in ('open', 'won', 'lost'))",
      'amount >= 0',
    ],
  },
  {
    name: 'debts',
    columns: { order_id: 'key', user_id: 'integer', points: 'integer', created_at: 'integer' },
    checks: ['points >= 0'],
  },
]

const indexes = [
  `create index "orders_user" on "orders" ("user_id", "id")`,
  `create index "orders_due" on "orders" ("next_query_at") where "next_query_at" is not null`,
  `create index "order_events_order" on "order_events" ("order_id", "id")`,
]

/** Payment gateways, orders with their exchanges, refunds and disputes, and debts. */
export const payments = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    for (const index of indexes) await sql.raw(index).execute(db)
  },
})
