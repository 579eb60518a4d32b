import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A search for models reads the rows of another gateway's history by this index, whatever the number of other rows. */
export const importedLogs: Migration = {
  up: async db => {
    const index = 'create index "logs_imported" on "logs" ("created_at", "id") where "type" = 6'
    await sql.raw(index).execute(db)
  },
}
