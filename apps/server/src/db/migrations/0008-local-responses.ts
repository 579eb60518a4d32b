import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const columns = [
  ['size', 'integer?'],
  ['previous', 'text?'],
  ['content_sealed', 'text?'],
] as const

/** Responses stored by the gateway: rows of the same table, so that an id belongs to one response only. */
export const localResponses = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const [name, type] of columns)
      await schema.addColumn('stored_answers', name, type).execute(db)
    // A covering index: the sizes of a user and the oldest rows are read from it alone.
    await sql
      .raw(
        `create index "stored_answers_kept" on "stored_answers" ("user_id", "created_at", "request_id", "size") where "size" is not null`,
      )
      .execute(db)
  },
})
