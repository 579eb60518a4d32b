import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** The last test of each model of a channel. */
export const channelModelTests = (schema: SchemaKit): Migration => ({
  up: async db => {
    const columns = {
      channel_id: 'integer',
      model: 'text',
      at: 'integer',
      ms: 'integer',
      error: 'text',
    } as const
    const primaryKey = ['channel_id', 'model']
    for (const each of schema.createTable({ name: 'channel_model_tests', columns, primaryKey }))
      await each.execute(db)
  },
})
