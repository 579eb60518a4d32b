import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The currency in which the vendor states the balance of a channel. */
export const balanceCurrency: Migration = {
  up: async db => {
    await sql`alter table "channels" add column "balance_currency" text not null default ''`.execute(
      db,
    )
  },
}
