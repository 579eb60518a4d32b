import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds how vendors count prompts compared with the gateway's own count, by model and user. */
export const promptRatiosTable = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'prompt_ratios',
      columns: { model: 'text', user_id: 'integer', permille: 'integer', counted_at: 'integer' },
      primaryKey: ['model', 'user_id'],
      checks: ['permille > 0'],
    })
    for (const statement of statements) await statement.execute(db)
  },
})
