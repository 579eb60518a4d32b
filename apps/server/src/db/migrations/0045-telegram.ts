import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'telegram_menus',
    columns: {
      id: 'id',
      command: 'text',
      description: 'text',
      parse_mode: 'text',
      reply_message: 'text',
    },
    unique: [['command']],
    checks: ["parse_mode in ('MarkdownV2', 'Markdown', 'html')"],
  },
  {
    name: 'telegram_bot',
    columns: {
      id: 'key',
      epoch: 'integer',
      mode: 'text',
      token_hash: 'text',
      username: 'text',
      last_error: 'text',
      last_error_at: 'integer',
    },
    checks: ['id = 1', "mode in ('', 'webhook', 'polling')"],
  },
]

/** The Telegram bot: its commands, and the one node that runs it. */
export const telegram = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
  },
})
