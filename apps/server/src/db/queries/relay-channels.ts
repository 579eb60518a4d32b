import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelsTable } from '../tables/channels.ts'
import { changedHere } from './channel-versions.ts'

export type RelayChannelRow = Selectable<ChannelsTable>

export const listEnabledChannels = (db: Database): Promise<RelayChannelRow[]> =>
  db
    .selectFrom('channels')
    .selectAll()
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

export const findChannel = (db: Database, id: number): Promise<RelayChannelRow | undefined> =>
  db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Marks an enabled channel as disabled by the gateway (status 3). Returns whether this caller disabled it. */
export const disableChannel = async (db: Database, id: number, reason: string) => {
  const { numUpdatedRows } = await db
    .updateTable('channels')
    .set({ status: 3, status_reason: reason, ...changedHere })
    .where('id', '=', id)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Enables a channel that the gateway disabled (status 3). Returns whether this caller enabled it. */
export const enableChannel = async (db: Database, id: number) => {
  const { numUpdatedRows } = await db
    .updateTable('channels')
    .set({ status: 1, status_reason: '', ...changedHere })
    .where('id', '=', id)
    .where('status', '=', 3)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Lists the channels of a batch run: enabled ones and those the gateway disabled, but none an administrator disabled. */
export const listTestable = (db: Database) =>
  db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'status'])
    .where('status', 'in', [1, 3])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** Stores a balance in major units of its currency; `at` is in Unix seconds. */
export const recordBalance = (
  db: Database,
  id: number,
  { at, amount, currency }: { at: number; amount: number; currency: string },
) =>
  db
    .updateTable('channels')
    .set({ balance: amount, balance_currency: currency, balance_updated_time: at })
    .where('id', '=', id)
    .execute()

/** Loads the channel type of each priced model, and the owners. */
export const listPricesAndOwners = async (db: Database) => {
  const prices = await db.selectFrom('prices').select(['model', 'channel_type as type']).execute()
  const owners = await db.selectFrom('owners').select(['id', 'name']).execute()
  return { prices, owners }
}

/** Stores the time of a test in Unix seconds, and its duration in milliseconds or its failure. */
export const recordTest = (
  db: Database,
  id: number,
  { at, ...result }: { at: number } & ({ ms: number } | { error: string }),
) =>
  db
    .updateTable('channels')
    .set({
      test_time: at,
      ...('ms' in result
        ? { response_time: result.ms, test_error: '' }
        : { test_error: result.error }),
    })
    .where('id', '=', id)
    .execute()
