import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'

const tables: Table[] = [
  {
    name: 'cost_lists',
    columns: {
      id: 'id',
      channel_id: 'integer',
      valid_from: 'integer',
      body: 'text?',
      created_by: 'integer',
    },
    unique: [['channel_id', 'valid_from']],
  },
  {
    name: 'cost_versions',
    columns: { id: 'key', currency: 'text', body: 'text', created_at: 'integer' },
  },
  {
    name: 'attempt_costs',
    columns: {
      call_id: 'integer',
      attempt: 'integer',
      at: 'integer',
      user_id: 'integer',
      token_id: 'integer',
      group_name: 'text',
      channel_id: 'integer',
      model_name: 'text',
      cost: 'integer?',
      cost_version: 'integer?',
      cost_kind: 'integer?',
      usage: 'text',
    },
    primaryKey: ['call_id', 'attempt'],
  },
  {
    name: 'exchange_rates',
    columns: { currency: 'text', valid_from: 'integer', rate: 'text', created_by: 'integer' },
    primaryKey: ['currency', 'valid_from'],
  },
]

/**
 * Adds what calls cost the operator. PostgreSQL gets `ledger_batch_v3`, which writes it. Nodes of the release before
 * continue to call `ledger_batch_v2`.
 */
export const costs = (schema: SchemaKit): Migration => ({
  up: async db => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    await sql.raw(`create index "attempt_costs_at" on "attempt_costs" ("at")`).execute(db)
    for (const column of ['cost', 'cost_version', 'cost_kind'])
      await schema.addColumn('logs', column, 'integer?').execute(db)
    for (const statement of schema.ledgerFunctions()) await statement.execute(db)
  },
})
