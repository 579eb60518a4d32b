import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Indexes for the figures of one channel, and the function that reads a value of the metadata on both engines. */
export const channelFigures = (schema: SchemaKit): Migration => ({
  up: async db => {
    for (const each of schema.jsonFunctions()) await each.execute(db)
    const indexes = [
      'create index "logs_channel_time" on "logs" ("channel_id", "created_at")',
      // Few calls have a failed attempt. The query repeats the condition literally, because only then it uses the index.
      `create index "logs_failed_attempts" on "logs" ("created_at") where metadata like '%"attempts":[{%'`,
    ]
    for (const index of indexes) await sql.raw(index).execute(db)
  },
})
