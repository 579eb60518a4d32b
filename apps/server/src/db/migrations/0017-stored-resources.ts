import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const table: Table = {
  name: 'stored_resources',
  columns: {
    id: 'text key',
    kind: 'text',
    user_id: 'integer',
    channel_id: 'integer',
    credential: 'text',
    request_id: 'integer',
    created_at: 'integer',
    expires_at: 'integer?',
    purpose: 'text',
    size: 'integer',
    object_sealed: 'text',
    run_at: 'integer?',
    attempts: 'integer',
  },
}

const indexes = [
  'create index "stored_resources_listed" on "stored_resources" ("user_id", "kind", "created_at", "request_id")',
  'create index "stored_resources_due" on "stored_resources" ("run_at") where "run_at" is not null',
  'create index "stored_resources_expired" on "stored_resources" ("expires_at") where "expires_at" is not null',
]

/** Owners of files, batches and other objects that vendors store. */
export const storedResources = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const statement of schema.createTable(table)) await statement.execute(db)
    for (const index of indexes) await sql.raw(index).execute(db)
  },
})
