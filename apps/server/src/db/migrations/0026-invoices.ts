import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'invoice_months',
    columns: {
      month: 'text key',
      begins_at: 'integer',
      ends_at: 'integer',
      time_zone: 'text',
      created_at: 'integer',
    },
  },
  {
    name: 'invoices',
    columns: {
      id: 'id',
      user_id: 'integer',
      month: 'text',
      status: 'text',
      revision: 'integer',
      amount_micros: 'integer',
      requests: 'integer',
      quota: 'integer',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
      request_time: 'integer',
      created_at: 'integer',
      paid_at: 'integer?',
    },
    unique: [['user_id', 'month']],
  },
  {
    name: 'invoice_documents',
    columns: {
      invoice_id: 'integer',
      revision: 'integer',
      created_at: 'integer',
      body: 'text',
      sha256: 'text',
    },
    primaryKey: ['invoice_id', 'revision'],
    appendOnly: true,
  },
]

/** Monthly invoices and their unchangeable content. */
export const invoices = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    await sql`create index "invoices_month" on "invoices" ("month", "id")`.execute(db)
  },
})
