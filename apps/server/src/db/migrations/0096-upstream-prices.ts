import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds the price list of an upstream that is a gateway, beside its groups. */
export const upstreamPrices = (schema: SchemaKit): Migration => ({
  up: async db => {
    await schema.addColumn('upstream_groups', 'prices', 'text?').execute(db)
  },
})
