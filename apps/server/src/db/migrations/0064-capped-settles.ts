import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Replaces the functions of the ledger: a settle charges at most what the cap of its token covers. */
export const cappedSettles = (schema: SchemaKit): Migration => ({
  up: async db => {
    for (const statement of schema.ledgerFunctions()) await statement.execute(db)
  },
})
