import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const usageSums: Table = {
  name: 'usage_sums',
  columns: {
    kind: 'text',
    span: 'integer',
    at: 'integer',
    key: 'text',
    requests: 'integer',
    failed: 'integer',
    charged_failures: 'integer',
    quota: 'integer',
    prompt_tokens: 'integer',
    completion_tokens: 'integer',
  },
  primaryKey: ['kind', 'span', 'at', 'key'],
}

// Charges of calls with a log row are neither of the two, so that no running call maintains this index.
const unloggedIndex = `create index "transfers_unlogged" on "transfers" ("at") where "kind" <> 'request' or "channel_id" = 0`

/** Sums of the logs for the operations page, which must not read a million rows for each view. */
export const usageSumsTable = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const statement of schema.createTable(usageSums)) await statement.execute(db)
    await sql.raw(unloggedIndex).execute(db)
  },
})
