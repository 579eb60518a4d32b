import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const columns = [
  'requests_per_day',
  'tokens_per_minute',
  'concurrent_requests',
  'quota_per_day',
  'quota_per_month',
]

/** Limits of groups and tokens, and the spending at the start of each day or month. */
export const limits = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of ['user_groups', 'tokens'])
      for (const column of columns) await schema.addColumn(table, column, 'integer?').execute(db)
    await schema.addColumn('tokens', 'api_rate', 'integer?').execute(db)
    const marks = schema.createTable({
      name: 'limit_marks',
      columns: { owner: 'text', window: 'text', used: 'integer' },
      primaryKey: ['owner', 'window'],
    })
    for (const statement of marks) await statement.execute(db)
    // Rows arrive in time order, so that inserts append to the end of the index.
    await sql`create index if not exists "transfers_at" on "transfers" ("at")`.execute(db)
  },
})
