import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Images that callers asked for as links, and whose vendors gave bytes. */
export const storedImages = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'stored_images',
      columns: {
        name: 'text',
        user_id: 'integer',
        type: 'text',
        size: 'integer',
        location: 'text?',
        expires_at: 'integer',
      },
      primaryKey: ['name'],
    })
    for (const statement of statements) await statement.execute(db)
    // Each new image asks how much its user stores.
    await sql.raw(`create index "stored_images_user" on "stored_images" ("user_id")`).execute(db)
  },
})
