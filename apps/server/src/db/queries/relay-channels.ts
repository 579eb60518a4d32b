import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelsTable } from '../tables/trade.ts'

export type ChannelRow = Selectable<ChannelsTable>

export const listEnabledChannels = (db: Database): Promise<ChannelRow[]> =>
  db
    .selectFrom('channels')
    .selectAll()
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

export const findChannel = (db: Database, id: number): Promise<ChannelRow | undefined> =>
  db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Disables a channel only if it still is enabled; says whether this caller was the one who did it. */
export const disableChannel = async (db: Database, id: number, reason: string) => {
  const { numUpdatedRows } = await db
    .updateTable('channels')
    .set({ status: 3, status_reason: reason })
    .where('id', '=', id)
    .where('status', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Enables only what the gateway disabled; says whether this caller was the one who did it. */
export const enableChannel = async (db: Database, id: number) => {
  const { numUpdatedRows } = await db
    .updateTable('channels')
    .set({ status: 1, status_reason: '' })
    .where('id', '=', id)
    .where('status', '=', 3)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Every channel that a test may change: not what a person disabled. */
export const listTestable = (db: Database) =>
  db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'status'])
    .where('status', 'in', [1, 3])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

export const noteBalance = (
  db: Database,
  id: number,
  { at, amount, currency }: { at: number; amount: number; currency: string },
) =>
  db
    .updateTable('channels')
    .set({ balance: amount, balance_currency: currency, balance_updated_time: at })
    .where('id', '=', id)
    .execute()

export const listModelOwners = async (db: Database) => {
  const prices = await db.selectFrom('prices').select(['model', 'channel_type as type']).execute()
  const owners = await db.selectFrom('owners').select(['id', 'name']).execute()
  return { prices, owners }
}

export const noteTest = (db: Database, id: number, { at, ms }: { at: number; ms: number }) =>
  db
    .updateTable('channels')
    .set({ test_time: at, response_time: ms })
    .where('id', '=', id)
    .execute()
