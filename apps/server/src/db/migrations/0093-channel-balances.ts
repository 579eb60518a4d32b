import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { canonicalDecimal } from '../../lib/decimal.ts'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'

const tables: Table[] = [
  {
    name: 'channel_balances',
    columns: {
      channel_id: 'integer',
      at: 'integer',
      amount: 'text',
      currency: 'text',
      kind: 'text',
    },
    primaryKey: ['channel_id', 'at'],
  },
  {
    name: 'channel_balance_states',
    columns: {
      channel_id: 'key',
      checked_at: 'integer',
      lasts_until: 'integer',
      kind: 'text',
      warning: 'text',
      notified: 'integer',
    },
  },
]

type OldChannels = {
  channels: {
    id: number
    balance: number
    balance_currency: string
    balance_updated_time: number
    deleted_at: number | null
  }
  channel_balances: Record<'channel_id' | 'at', number> &
    Record<'amount' | 'currency' | 'kind', string>
}

/** Adds the history of the balances at the vendors, which begins with the stored ones, and the state of their warnings. */
export const channelBalances = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<OldChannels>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    const rows = await db
      .selectFrom('channels')
      .select(['id', 'balance', 'balance_currency', 'balance_updated_time'])
      .where('balance_updated_time', '>', 0)
      .where('deleted_at', 'is', null)
      .execute()
    for (const row of rows)
      await db
        .insertInto('channel_balances')
        .values({
          channel_id: row.id,
          at: row.balance_updated_time,
          amount: canonicalDecimal(row.balance) ?? '0',
          ...{ currency: row.balance_currency, kind: '' },
        })
        .execute()
  },
})
