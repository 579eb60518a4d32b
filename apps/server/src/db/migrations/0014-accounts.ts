import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { nameKey } from '../../lib/credentials/name-key.ts'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/**
 * The version of a token's last change, and a key that makes names unique regardless of case and form. Of existing
 * names with one key the oldest gets it; the others stay without and keep working.
 */
export const accounts = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('tokens', 'version', 'integer?').execute(db)
    await sql`create index "tokens_version" on "tokens" ("version")`.execute(db)
    await schema.addColumn('users', 'username_key', 'text?').execute(db)
    const users = await db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const taken = new Set<string>()
    for (const { id, username } of users) {
      const username_key = nameKey(username)
      if (taken.has(username_key)) continue
      taken.add(username_key)
      await db.updateTable('users').set({ username_key }).where('id', '=', id).execute()
    }
    await sql`create unique index "users_by_name_key" on "users" ("username_key")`.execute(db)
  },
})
