import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Results of tasks that were copied into the data folder. */
export const taskCopies = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'task_copies',
      columns: {
        task_id: 'integer',
        position: 'integer',
        type: 'text',
        size: 'integer',
        expires_at: 'integer',
      },
      primaryKey: ['task_id', 'position'],
    })
    for (const statement of statements) await statement.execute(db)
    await schema.addColumn('tasks', 'copy_run_at', 'integer?').execute(db)
    await schema.addColumn('tasks', 'copy_attempts', 'integer?').execute(db)
    await sql`create index "tasks_copy_due" on "tasks" ("copy_run_at") where "copy_run_at" is not null`.execute(
      db,
    )
  },
})
