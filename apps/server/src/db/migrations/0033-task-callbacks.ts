import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** The address that a caller wants to be called at the end of a task, and how far that is. */
export const taskCallbacks = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('tasks', 'callback_sealed', 'text?').execute(db)
    await schema.addColumn('tasks', 'callback_state', 'text?').execute(db)
    await schema.addColumn('tasks', 'callback_run_at', 'integer?').execute(db)
    await schema.addColumn('tasks', 'callback_attempts', 'integer?').execute(db)
    await schema.addColumn('tasks', 'callback_failure', 'text?').execute(db)
    await schema.addColumn('users', 'callback_secret_version', 'integer?').execute(db)
    await sql`create index "tasks_callback_due" on "tasks" ("callback_run_at") where "callback_run_at" is not null`.execute(
      db,
    )
    await sql`create index "tasks_callback_given_up" on "tasks" ("id") where "callback_state" = 'given_up'`.execute(
      db,
    )
  },
})
