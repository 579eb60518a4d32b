import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds the services outside of the gateway whose last call failed. A success deletes the row. */
export const serviceFailures = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'service_failures',
      columns: {
        service: 'text',
        subject: 'integer',
        since: 'integer',
        last_at: 'integer',
        failures: 'integer',
        code: 'text',
        detail: 'text',
      },
      unique: [['service', 'subject']],
    })
    for (const statement of statements) await statement.execute(db)
  },
})
