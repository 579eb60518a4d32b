import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** How long the charged calls of a sum took, in milliseconds. Null in sums of older releases. */
export const usageDurations = (schema: SchemaKit): Migration => ({
  up: async db => {
    await schema.addColumn('usage_sums', 'request_time', 'integer?').execute(db)
  },
})
