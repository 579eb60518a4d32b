import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const indexes = [
  // With the last two columns a sum of charges reads the index alone, and not millions of rows.
  'create index "logs_time" on "logs" ("created_at", "id", "type", "quota")',
  'create index "logs_user_time" on "logs" ("user_id", "created_at", "id", "type", "quota")',
  // The index above replaces it.
  'drop index "logs_user"',
  'create index "users_created" on "users" ("created_time", "id")',
  'create index "users_last_login" on "users" ("last_login_time", "id")',
]

/**
 * Indexes in the sort orders of logs and users: the first page of a million rows costs as much as one of a hundred.
 * Also the time at which a price version was first written.
 */
export const receipts = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const index of indexes) await sql.raw(index).execute(db)
    for (const column of ['username', 'email', 'display_name', 'group'])
      for (const index of schema.prefixIndex('users', column)) await index.execute(db)
    await schema.addColumn('price_versions', 'created_at', 'integer?').execute(db)
  },
})
