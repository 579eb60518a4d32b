import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds the due time and the last run of each recurring job. */
export const jobRuns = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'job_runs',
      columns: {
        name: 'text',
        due_at: 'integer',
        epoch: 'integer?',
        started_at: 'integer?',
        ended_at: 'integer?',
        succeeded_at: 'integer?',
        duration_ms: 'integer',
        error: 'text',
      },
      unique: [['name']],
    })
    for (const statement of statements) await statement.execute(db)
  },
})
