import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'virtual_models',
    columns: {
      id: 'id',
      name: 'text',
      enable: 'integer',
      groups: 'text',
      candidates: 'text',
      version: 'integer',
      updated_at: 'integer',
    },
    unique: [['name']],
    checks: ['enable in (0, 1)', 'version >= 1'],
  },
  {
    name: 'virtual_model_versions',
    columns: {
      model_id: 'integer',
      version: 'integer',
      name: 'text',
      enable: 'integer',
      groups: 'text',
      candidates: 'text',
      created_at: 'integer',
      actor_name: 'text',
      restored_version: 'integer?',
    },
    primaryKey: ['model_id', 'version'],
    appendOnly: true,
  },
]

/** Virtual models, and every version of them. */
export const virtualModels = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
  },
})
