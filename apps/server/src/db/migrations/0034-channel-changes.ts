import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** The evidence of each change of the state of a channel or one of its keys. */
export const channelChanges = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'channel_changes',
      columns: {
        id: 'id',
        at: 'integer',
        channel_id: 'integer',
        fingerprint: 'text',
        status: 'integer',
        cause: 'text',
        actor: 'text',
        code: 'text',
        http_status: 'integer?',
        model: 'text',
        reason: 'text',
        request_id: 'text',
      },
      checks: ['status in (1, 2, 3)'],
    })
    for (const statement of statements) await statement.execute(db)
    await db.schema
      .createIndex('channel_changes_channel')
      .on('channel_changes')
      .columns(['channel_id', 'id'])
      .execute()
    await db.schema.createIndex('channel_changes_at').on('channel_changes').column('at').execute()
  },
})
