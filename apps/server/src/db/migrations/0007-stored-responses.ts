import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'stored_answers',
    columns: {
      id: 'text key',
      user_id: 'integer',
      channel_id: 'integer',
      credential: 'text',
      request_id: 'integer',
      created_at: 'integer',
    },
  },
  {
    name: 'background_calls',
    columns: {
      request_id: 'key',
      answer_id: 'text',
      user_id: 'integer',
      token_id: 'integer',
      channel_id: 'integer',
      credential: 'text',
      price_id: 'integer',
      told: 'text',
      attempts: 'integer',
      run_at: 'integer',
      created_at: 'integer',
    },
    unique: [['answer_id']],
  },
]

const indexes = [
  'create index "stored_answers_created" on "stored_answers" ("created_at")',
  'create index "background_calls_due" on "background_calls" ("run_at")',
]

/** Owners of responses that vendors store, and calls whose response is still being generated. */
export const storedResponses = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    for (const index of indexes) await sql.raw(index).execute(db)
  },
})
