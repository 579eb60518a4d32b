import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a vendor says is left of an account is said in the vendor's currency. */
export const balanceCurrency: Migration = {
  up: async db => {
    await sql`alter table "channels" add column "balance_currency" text not null default ''`.execute(
      db,
    )
  },
}
