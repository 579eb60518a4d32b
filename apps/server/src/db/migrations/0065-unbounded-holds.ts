import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/**
 * Marks holds whose charge may exceed them, and shortfalls of such holds. PostgreSQL gets `ledger_batch_v2`. Nodes of the
 * release before continue to call `ledger_batch_v1`, which stays until a later release drops it.
 */
export const unboundedHolds = (schema: SchemaKit): Migration => ({
  up: async db => {
    await schema.addColumn('holds', 'unbounded', 'integer?').execute(db)
    await schema.addColumn('shortfalls', 'kind', 'text?').execute(db)
    await sql`create index "holds_unbounded" on "holds" ("user_id") where "unbounded" = 1`.execute(
      db,
    )
    for (const statement of schema.ledgerFunctions()) await statement.execute(db)
  },
})
