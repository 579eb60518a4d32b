import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Responses stored by the gateway that are made in the background. */
export const localBackground = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('stored_answers', 'is_running', 'integer?').execute(db)
  },
})
