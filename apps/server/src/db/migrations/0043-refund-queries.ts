import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const statements = [
  `create index "order_reversals_due" on "order_reversals" ("next_query_at") where "next_query_at" is not null`,
  `update "order_reversals" set "next_query_at" = "created_at" where "kind" = 'refund' and "state" = 'pending'`,
]

/** The time at which the vendor is asked for a refund that is under way. */
export const refundQueries = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('order_reversals', 'next_query_at', 'integer?').execute(db)
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
