import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const columns = [
  ['size', 'integer?'],
  ['previous', 'text?'],
  ['content_sealed', 'text?'],
] as const

/** Answers that the gateway keeps itself: rows of the same table, so that one id is never two answers. */
export const kept = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const [name, type] of columns)
      await schema.addColumn('stored_answers', name, type).execute(db)
    // What a user's answers count for, and which are the oldest, is read from the index alone.
    await sql
      .raw(
        `create index "stored_answers_kept" on "stored_answers" ("user_id", "created_at", "request_id", "size") where "size" is not null`,
      )
      .execute(db)
  },
})
