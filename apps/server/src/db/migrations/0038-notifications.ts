import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'notification_targets',
    columns: {
      id: 'id',
      user_id: 'integer',
      name: 'text',
      type: 'text',
      config_sealed: 'text',
      events: 'text',
      language: 'text',
      digest: 'text',
      quiet_from: 'text',
      quiet_to: 'text',
      enabled: 'integer',
      next_at_ms: 'integer',
      created_at: 'integer',
    },
    checks: ['enabled in (0, 1)', "digest in ('none', 'hourly', 'daily')"],
  },
  {
    name: 'notifications',
    columns: {
      id: 'id',
      event: 'text',
      event_key: 'text',
      target_id: 'integer',
      window_at: 'integer',
      facts: 'text',
      count: 'integer',
      state: 'text',
      attempts: 'integer',
      batch: 'integer?',
      due_at: 'integer',
      run_at: 'integer',
      created_at: 'integer',
      ended_at: 'integer?',
      failure: 'text',
    },
    unique: [['event_key', 'target_id', 'window_at']],
    checks: ["state in ('waiting', 'sent', 'failed')", 'count > 0'],
    hot: true,
  },
]

/** Targets of notifications, their outbox, and a threshold of the balance per user. */
export const notifications = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    for (const index of [
      sql`create index "notification_targets_user" on "notification_targets" ("user_id")`,
      sql`create index "notifications_due" on "notifications" ("target_id", "run_at") where "state" = 'waiting'`,
      sql`create index "notifications_batch" on "notifications" ("batch") where "state" = 'waiting'`,
      sql`create index "notifications_target" on "notifications" ("target_id", "id")`,
    ])
      await index.execute(db)
    await schema.addColumn('reminders', 'threshold', 'integer?').execute(db)
  },
})
