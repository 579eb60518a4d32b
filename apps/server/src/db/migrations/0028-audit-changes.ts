import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** The changes of each audited write, the role of its actor, and an index for time ranges. */
export const auditChanges = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('audit', 'changes', 'text?').execute(db)
    await schema.addColumn('audit', 'actor_role', 'integer?').execute(db)
    await db.schema.createIndex('audit_at').on('audit').column('at').execute()
  },
})
