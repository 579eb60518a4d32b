import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** The group that top-ups gave, the group before it, and the accounts that a debt has frozen. */
export const promotions = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const column of ['promoted_from', 'promoted_to'])
      await schema.addColumn('users', column, 'text?').execute(db)
    await schema.addColumn('accounts', 'frozen_by_debt', 'integer?').execute(db)
    for (const index of [
      `create index "debts_open" on "debts" ("user_id") where "points" > 0`,
      `create index "accounts_frozen_by_debt" on "accounts" ("user_id") where "frozen_by_debt" = 1`,
    ])
      await sql.raw(index).execute(db)
  },
})
