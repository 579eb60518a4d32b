import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const indexes = [
  // With the last two columns a sum of charges reads the index alone, and not millions of rows.
  'create index "logs_time" on "logs" ("created_at", "id", "type", "quota")',
  'create index "logs_user_time" on "logs" ("user_id", "created_at", "id", "type", "quota")',
  // What it served, the one above serves as well.
  'drop index "logs_user"',
  'create index "users_created" on "users" ("created_time", "id")',
  'create index "users_last_login" on "users" ("last_login_time", "id")',
]

/**
 * The orders in which logs and users are read, so that the first page of a million costs what one of a hundred does; and
 * since when a price version is known.
 */
export const receipts = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const index of indexes) await sql.raw(index).execute(db)
    for (const column of ['username', 'email', 'display_name', 'group'])
      for (const index of schema.prefixIndex('users', column)) await index.execute(db)
    await schema.addColumn('price_versions', 'created_at', 'integer?').execute(db)
  },
})
