import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Only calls of a session maintain them. Queries repeat the condition and the expression literally. */
const hasSession = `where metadata like '%"session":"%'`
const indexes = [
  `create index "logs_sessions" on "logs" ("created_at", "id") ${hasSession}`,
  `create index "logs_user_sessions" on "logs" ("user_id", "created_at", "id") ${hasSession}`,
  `create index "logs_session_calls" on "logs" (json_extract(metadata, '$.session'), "created_at", "id") ${hasSession}`,
]

/** Indexes for the list of sessions, and for the calls of one. */
export const callSessions: Migration = {
  up: async db => {
    for (const index of indexes) await sql.raw(index).execute(db)
  },
}
