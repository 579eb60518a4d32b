import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Holds whose charge may exceed them, of which a user has one at a time, and the kind of a shortfall. */
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
