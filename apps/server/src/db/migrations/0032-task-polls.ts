import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** The pace of polls per channel, which all nodes share, and the order in which an account's tasks are polled. */
export const taskPolls = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'task_polls',
      columns: { channel_id: 'key', next_at: 'integer' },
      hot: true,
    })
    for (const statement of statements) await statement.execute(db)
    await sql`create index "tasks_account" on "tasks" ("channel_id", "credential", "run_at") where "run_at" is not null`.execute(
      db,
    )
  },
})
