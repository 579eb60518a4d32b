import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const indexes = [
  `create index "tasks_due" on "tasks" ("run_at") where "run_at" is not null`,
  `create index "tasks_user" on "tasks" ("user_id", "platform", "id")`,
  `create index "tasks_open" on "tasks" ("id") where "settlement" not in ('charged', 'released')`,
]

/** Tasks that vendors work on after their request has ended. */
export const tasks = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'tasks',
      columns: {
        id: 'key',
        public_id: 'text',
        platform: 'text',
        user_id: 'integer',
        token_id: 'integer',
        channel_id: 'integer',
        credential: 'text',
        upstream_id: 'text',
        action: 'text',
        model: 'text',
        state: 'text',
        settlement: 'text',
        progress: 'integer',
        fail_reason: 'text',
        orphan: 'integer',
        quota: 'integer',
        price_id: 'integer',
        receipt_draft: 'text',
        content_sealed: 'text',
        created_at: 'integer',
        started_at: 'integer',
        finished_at: 'integer',
        deadline: 'integer',
        run_at: 'integer?',
        attempts: 'integer',
        deleted_at: 'integer?',
      },
      unique: [['public_id']],
      checks: [
        "state in ('submitting', 'queued', 'in_progress', 'completed', 'failed', 'expired')",
        "settlement in ('held', 'charging', 'charged', 'releasing', 'released')",
        "settlement = 'held' or state in ('completed', 'failed', 'expired')",
        'quota >= 0',
      ],
      hot: true,
    })
    for (const statement of statements) await statement.execute(db)
    for (const index of indexes) await sql.raw(index).execute(db)
  },
})
