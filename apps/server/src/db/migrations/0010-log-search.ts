import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const indexes = [
  // Errors are few among charged calls, and charged calls do not maintain these.
  'create index "logs_errors" on "logs" ("created_at", "id") where "type" = 5',
  'create index "logs_user_errors" on "logs" ("user_id", "created_at", "id") where "type" = 5',
  'create index "logs_error_codes" on "logs" ("content", "created_at", "id") where "type" = 5',
  'create index "logs_models" on "logs" ("model_name", "created_at", "id") where "type" = 2',
]

/** Indexes for the lists of errors, and for calls of models that are searched by a part of their name. */
export const logSearch: Migration = {
  up: async db => {
    for (const index of indexes) await sql.raw(index).execute(db)
  },
}
