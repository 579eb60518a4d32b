import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'redemptions',
    columns: {
      id: 'id',
      user_id: 'integer',
      key_hash: 'text',
      key_sealed: 'text',
      status: 'integer',
      name: 'text',
      quota: 'integer',
      created_time: 'integer',
      redeemed_time: 'integer',
      used_user_id: 'integer',
      expires_at: 'integer',
      deleted_at: 'integer?',
    },
    unique: [['key_hash']],
    checks: ['status in (1, 2, 3)', 'quota >= 0', '(status = 3) = (used_user_id > 0)'],
  },
  {
    name: 'queued',
    columns: {
      id: 'id',
      job: 'text',
      key: 'text',
      payload_sealed: 'text',
      state: 'text',
      attempts: 'integer',
      run_at: 'integer',
      created_at: 'integer',
      ended_at: 'integer?',
      failure: 'text',
    },
    unique: [['job', 'key']],
    checks: ["state in ('waiting', 'done', 'failed')"],
  },
  {
    name: 'reminders',
    columns: { user_id: 'key', told: 'integer', crossing: 'integer' },
    checks: ['told in (0, 1, 2)'],
  },
]

const indexes = [
  `create index "redemptions_name" on "redemptions" ("name")`,
  `create index "queued_due" on "queued" ("run_at") where "state" = 'waiting'`,
]

/** Redemption codes, invitation counters, queued jobs and quota reminders. */
export const redemptions = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables) {
      for (const statement of schema.createTable(table)) await statement.execute(db)
    }
    for (const index of indexes) await sql.raw(index).execute(db)
    await schema.addColumn('users', 'aff_count', 'integer?').execute(db)
    await schema.addColumn('users', 'aff_quota', 'integer?').execute(db)
  },
})
