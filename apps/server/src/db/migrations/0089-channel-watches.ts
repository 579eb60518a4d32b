import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds the vendor's list of models as it was last read for each channel that watches it. */
export const channelWatches = (schema: SchemaKit): Migration => ({
  up: async db => {
    const columns = {
      channel_id: 'key',
      checked_at: 'integer',
      read_at: 'integer',
      offered: 'text',
      equal_reads: 'integer',
      notified: 'text',
    } as const
    for (const each of schema.createTable({ name: 'channel_watches', columns }))
      await each.execute(db)
  },
})
