import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const importedCounters: Table = {
  name: 'imported_counters',
  columns: { owner: 'text key', used: 'integer', requests: 'integer' },
}

/** Stores the use of each user, key and channel at the gateway that it was imported from. That use has no postings here. */
export const importedCountersTable = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const statement of schema.createTable(importedCounters)) await statement.execute(db)
  },
})
