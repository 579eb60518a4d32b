import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelsTable } from '../tables/channels.ts'
import { disabledCount, type KeyState, listKeyStates } from './channel-keys.ts'
import { changedHere } from './channel-versions.ts'

/** A channel with the states of its keys. */
export type RelayChannelRow = Selectable<ChannelsTable> & { key_states: readonly KeyState[] }

export const listEnabledChannels = async (db: Database): Promise<RelayChannelRow[]> =>
  withKeyStates(
    db,
    await db
      .selectFrom('channels')
      .selectAll()
      .where('status', '=', 1)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute(),
  )

export const findChannel = async (
  db: Database,
  id: number,
): Promise<RelayChannelRow | undefined> => {
  const rows = db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return (await withKeyStates(db, await rows))[0]
}

/** Rows changed after a version, disabled and deleted ones included. */
export const listChanged = async (db: Database, afterVersion: number): Promise<RelayChannelRow[]> =>
  withKeyStates(
    db,
    await db
      .selectFrom('channels')
      .selectAll()
      .where('version', '>', afterVersion)
      .orderBy('id')
      .execute(),
  )

/** The states are read after the rows, so that they are never older. */
const withKeyStates = async (
  db: Database,
  rows: Selectable<ChannelsTable>[],
): Promise<RelayChannelRow[]> => {
  const several = rows.filter(each => each.key_count > 1).map(each => each.id)
  const states = await listKeyStates(db, several)
  return rows.map(row => ({ ...row, key_states: states.get(row.id) ?? [] }))
}

/** Marks the row as changed, and locks it where the engine locks rows. */
export const touchChannel = (db: Database, id: number) =>
  db.updateTable('channels').set(changedHere).where('id', '=', id).execute()

/** Disables an enabled channel (status 3) of which every key is disabled. Returns whether this caller disabled it. */
export const disableChannelWithoutKeys = async (db: Database, id: number, reason: string) => {
  const { numUpdatedRows } = await db
    .updateTable('channels')
    .set({ status: 3, status_reason: reason, ...changedHere })
    .where('id', '=', id)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .where(eb => eb('key_count', '<=', disabledCount('channels.id')))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

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
    .select(['id', 'name', 'type', 'status', 'base_url'])
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
  { at, kind, ...result }: { at: number; kind: string } & ({ ms: number } | { error: string }),
) =>
  db
    .updateTable('channels')
    .set({
      test_time: at,
      test_kind: kind,
      ...('ms' in result
        ? { response_time: result.ms, test_error: '' }
        : { test_error: result.error }),
    })
    .where('id', '=', id)
    .execute()
