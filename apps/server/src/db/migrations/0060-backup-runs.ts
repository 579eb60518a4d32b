import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Backups that the gateway made. One runs at a time, and each scheduled one once. */
export const backupRuns = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'backup_runs',
      columns: {
        id: 'id',
        started_at: 'integer',
        ended_at: 'integer?',
        state: 'text',
        due_minute: 'integer?',
        epoch: 'integer',
        node: 'text',
        actor: 'text',
        file: 'text',
        bytes: 'integer',
        rows: 'integer',
        error: 'text',
      },
      unique: [['due_minute']],
      checks: ["state in ('running', 'succeeded', 'failed')"],
    })
    for (const statement of statements) await statement.execute(db)
    await db.schema
      .createIndex('backup_runs_running')
      .on('backup_runs')
      .column('state')
      .unique()
      .where('state', '=', 'running')
      .execute()
  },
})
