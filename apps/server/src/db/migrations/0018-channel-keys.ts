import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'

const channelKeysTable: Table = {
  name: 'channel_keys',
  columns: {
    channel_id: 'integer',
    key_hash: 'text',
    status: 'integer',
    reason: 'text',
    changed_at: 'integer',
  },
  primaryKey: ['channel_id', 'key_hash'],
  checks: ['status in (1, 2, 3)'],
}

/** The states of a channel's keys, and the order in which they are used. */
export const channelKeys = (schema: SchemaKit): Migration => ({
  up: async db => {
    for (const statement of schema.createTable(channelKeysTable)) await statement.execute(db)
    await sql`create index "channel_keys_by_hash" on "channel_keys" ("key_hash")`.execute(db)
    await sql`alter table "channels" add column "key_rotation" text not null default 'random'`.execute(
      db,
    )
  },
})
