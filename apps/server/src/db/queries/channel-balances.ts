import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelBalanceStatesTable, ChannelBalancesTable } from '../tables/channel-balances.ts'
import { chunks } from './chunks.ts'

/** Adds a reading. A second one within the same second replaces the first. */
export const append = async (
  db: Database,
  { channel_id, at, ...reading }: ChannelBalancesTable,
): Promise<void> => {
  await db
    .insertInto('channel_balances')
    .values({ channel_id, at, ...reading })
    .onConflict(conflict => conflict.columns(['channel_id', 'at']).doUpdateSet(reading))
    .execute()
}

export const findLast = (db: Database, channelId: number) =>
  db
    .selectFrom('channel_balances')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The last reading of each step of so many seconds, oldest first. */
export const listSampled = async (
  db: Database,
  ids: readonly number[],
  { since, step }: { since: number; step: number },
): Promise<ChannelBalancesTable[]> => {
  const found: ChannelBalancesTable[] = []
  for (const part of chunks(ids))
    found.push(
      ...(await db
        .selectFrom('channel_balances')
        .innerJoin(
          eb =>
            eb
              .selectFrom('channel_balances')
              .select(['channel_id', eb.fn.max<number>('at').as('last_at')])
              .where('channel_id', 'in', part)
              .where('at', '>=', since)
              .groupBy(['channel_id', sql`at / ${sql.lit(step)}`])
              .as('sampled'),
          join =>
            join
              .onRef('sampled.channel_id', '=', 'channel_balances.channel_id')
              .onRef('sampled.last_at', '=', 'channel_balances.at'),
        )
        .selectAll('channel_balances')
        .orderBy('channel_balances.channel_id')
        .orderBy('channel_balances.at')
        .execute()),
    )
  return found
}

export const removeBefore = async (db: Database, at: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('channel_balances')
    .where('at', '<', at)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export const findState = (db: Database, channelId: number) =>
  db
    .selectFrom('channel_balance_states')
    .selectAll()
    .where('channel_id', '=', channelId)
    .executeTakeFirst()

export const listStates = async (
  db: Database,
): Promise<ReadonlyMap<number, ChannelBalanceStatesTable>> => {
  const rows = await db.selectFrom('channel_balance_states').selectAll().execute()
  return new Map(rows.map(row => [row.channel_id, row]))
}

/** Replaces the state of a channel. */
export const storeState = async (
  db: Database,
  { channel_id, ...state }: ChannelBalanceStatesTable,
): Promise<void> => {
  await db
    .insertInto('channel_balance_states')
    .values({ channel_id, ...state })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet(state))
    .execute()
}

/** Records an attempt, whatever comes of it. */
export const storeAttempt = async (
  db: Database,
  channel_id: number,
  checked_at: number,
): Promise<void> => {
  await db
    .insertInto('channel_balance_states')
    .values({ channel_id, checked_at, lasts_until: 0, kind: '', warning: '', notified: 0 })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet({ checked_at }))
    .execute()
}

/** Enabled channels with the times of their last attempt and of their last balance; null or 0: there was none. */
export const listChecked = (db: Database) =>
  db
    .selectFrom('channels')
    .leftJoin('channel_balance_states', 'channel_balance_states.channel_id', 'channels.id')
    .select(['channels.id', 'name', 'type', 'status', 'base_url', 'created_time'])
    .select(['balance_updated_time', 'checked_at'])
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('channels.id')
    .execute()
