import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Finds the row of a failed call by the id of its request. Only errors maintain it, and queries repeat its text. */
const index = `create index "logs_error_requests" on "logs" (json_extract(metadata, '$.request_id')) where type = 5`

export const errorRequests: Migration = {
  up: async db => {
    await sql.raw(index).execute(db)
  },
}
