import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Tables } from '../tables/index.ts'

/** How the last test of a channel, and of each of its models, reached the vendor. */
export const testKinds: Migration = {
  up: async (db: Kysely<Tables>) => {
    await sql`alter table channels add column "test_kind" text not null default 'call'`.execute(db)
    await sql`alter table channel_model_tests add column "kind" text not null default 'call'`.execute(
      db,
    )
  },
}
