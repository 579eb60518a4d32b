import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds descriptions of models, one of each. */
export const modelInfo = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'model_info',
      columns: {
        id: 'id',
        model: 'text',
        name: 'text',
        description: 'text',
        context_length: 'integer',
        max_tokens: 'integer',
        input_modalities: 'text',
        output_modalities: 'text',
        tags: 'text',
        support_url: 'text',
        created_at: 'integer',
        updated_at: 'integer',
      },
      unique: [['model']],
      checks: ['context_length >= 0', 'max_tokens >= 0'],
    })
    for (const statement of statements) await statement.execute(db)
  },
})
