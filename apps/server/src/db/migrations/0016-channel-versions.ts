import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** The version of a channel's last change, by which the nodes read changed channels only. */
export const channelVersions = (schema: SchemaKit): Migration => ({
  up: async db => {
    await schema.addColumn('channels', 'version', 'integer?').execute(db)
    await sql`create index "channels_version" on "channels" ("version")`.execute(db)
  },
})
