import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Passkeys of users. */
export const passkeys = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'passkeys',
      columns: {
        id: 'id',
        user_id: 'integer',
        credential_id: 'text',
        public_key: 'text',
        counter: 'integer',
        transports: 'text',
        backed_up: 'integer',
        name: 'text',
        created_time: 'integer',
        last_used_time: 'integer',
      },
      unique: [['credential_id']],
    })
    for (const statement of statements) await statement.execute(db)
    await sql`create index "passkeys_user" on "passkeys" ("user_id")`.execute(db)
  },
})
