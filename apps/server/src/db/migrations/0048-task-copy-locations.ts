import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Copies may lie in S3-compatible storage. Earlier ones lie in the data folder. */
export const taskCopyLocations = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('task_copies', 'location', 'text?').execute(db)
  },
})
