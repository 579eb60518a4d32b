import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'one_time_codes',
    columns: {
      id_hash: 'text key',
      purpose: 'text',
      code_hash: 'text',
      payload_sealed: 'text',
      attempts: 'integer',
      expires_at: 'integer',
    },
  },
  {
    name: 'second_factors',
    columns: {
      user_id: 'key',
      secret_sealed: 'text',
      last_step: 'integer',
      enabled_at: 'integer?',
    },
  },
  {
    name: 'backup_codes',
    columns: { user_id: 'integer', code_hash: 'text' },
    primaryKey: ['user_id', 'code_hash'],
  },
]

/** Codes that can be used once, and second factors with their backup codes. */
export const signIn = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    await sql`create index "one_time_codes_expiry" on "one_time_codes" ("expires_at")`.execute(db)
  },
})
