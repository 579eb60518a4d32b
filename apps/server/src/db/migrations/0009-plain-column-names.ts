import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const renamed = [
  { table: 'nodes', from: 'beat', to: 'heartbeat' },
  { table: 'reminders', from: 'told', to: 'notified_level' },
  { table: 'background_calls', from: 'told', to: 'receipt_draft' },
]

/** Gives three columns plain names. Both engines update the check constraint that names one of them. */
export const plainColumnNames: Migration = {
  up: async db => {
    for (const { table, from, to } of renamed)
      await sql.raw(`alter table "${table}" rename column "${from}" to "${to}"`).execute(db)
  },
}
