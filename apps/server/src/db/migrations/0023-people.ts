import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const topUps = `where "kind" in ('order', 'redemption', 'refund')`

/** Groups that users reach by what they paid, a second group of tokens, and indexes of the points that were paid for. */
export const people = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const column of ['promotion', 'min', 'max'])
      await schema.addColumn('user_groups', column, 'integer?').execute(db)
    await schema.addColumn('tokens', 'backup_group', 'text?').execute(db)
    for (const side of ['credit', 'debit'])
      await sql
        .raw(`create index "transfers_top_up_${side}" on "transfers" ("${side}") ${topUps}`)
        .execute(db)
  },
})
