import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** The results of the last check of each channel. */
export const channelChecks = (schema: SchemaKit): Migration => ({
  up: async db => {
    const columns = { channel_id: 'key', at: 'integer', results: 'text' } as const
    for (const each of schema.createTable({ name: 'channel_checks', columns }))
      await each.execute(db)
  },
})
