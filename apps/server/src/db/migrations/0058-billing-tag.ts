import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** The user group that the charges of a token are counted for. Null or empty: the group that they are made in. */
export const billingTag = (schema: SchemaKit): Migration => ({
  up: async db => {
    await schema.addColumn('tokens', 'billing_tag', 'text?').execute(db)
  },
})
