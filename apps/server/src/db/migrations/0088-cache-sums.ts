import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds what the vendors' prompt caches read, wrote and missed, by hour, channel and model. */
export const cacheSums = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'cache_sums',
      columns: {
        channel_id: 'integer',
        at: 'integer',
        model: 'text',
        requests: 'integer',
        prompt_tokens: 'integer',
        read_tokens: 'integer',
        written_tokens: 'integer',
        expecting: 'integer',
        missing: 'integer',
        missed_tokens: 'integer',
        missed_points: 'integer',
      },
      primaryKey: ['channel_id', 'at', 'model'],
    })
    for (const statement of statements) await statement.execute(db)
    // The job looks for the last hour and deletes old ones.
    await sql.raw(`create index "cache_sums_at" on "cache_sums" ("at")`).execute(db)
  },
})
