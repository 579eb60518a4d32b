import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'

const tables: Table[] = [
  {
    name: 'upstream_groups',
    columns: { channel_id: 'key', checked_at: 'integer', read_at: 'integer', groups: 'text' },
  },
  {
    name: 'upstream_ratios',
    columns: {
      channel_id: 'integer',
      group: 'text',
      ratio: 'text',
      valid_from: 'integer',
      is_confirmed: 'integer',
    },
    primaryKey: ['channel_id', 'valid_from'],
    checks: ['is_confirmed in (0, 1)'],
  },
]

/** Adds the multipliers of channels whose upstream is a gateway, and the groups that it shows. */
export const upstreamRatios = (schema: SchemaKit): Migration => ({
  up: async db => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
  },
})
