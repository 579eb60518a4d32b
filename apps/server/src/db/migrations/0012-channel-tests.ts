import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The failure of the last test of a channel. */
export const channelTests: Migration = {
  up: async db => {
    await sql`alter table "channels" add column "test_error" text not null default ''`.execute(db)
  },
}
