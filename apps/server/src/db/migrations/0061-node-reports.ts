import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds the last report of each node about itself, for the system page. */
export const nodeReports = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'node_reports',
      columns: {
        epoch: 'integer',
        host: 'text',
        version: 'text',
        runtime: 'text',
        started_at: 'integer',
        reported_at: 'integer',
        live_calls: 'integer',
        load_percent: 'integer',
        lag_ms: 'integer',
        memory_mib: 'integer',
      },
      unique: [['epoch']],
    })
    for (const statement of statements) await statement.execute(db)
  },
})
