import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lists the few rows that no call wrote: top-ups and changes by people. Calls do not maintain it. */
const index = `create index "logs_rare" on "logs" ("type", "created_at", "id") where "type" in (1, 3, 4)`

export const rareLogs: Migration = {
  up: async db => {
    await sql.raw(index).execute(db)
  },
}
