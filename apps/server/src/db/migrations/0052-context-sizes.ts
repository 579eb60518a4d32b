import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Tables } from '../tables/index.ts'

/** The longest prompts of a channel's models. */
export const contextSizes: Migration = {
  up: async (db: Kysely<Tables>) => {
    await sql`alter table "channels" add column "context_sizes" text not null default ''`.execute(
      db,
    )
  },
}
