import type { Insertable } from 'kysely'
import type { Database } from '../index.ts'
import type { AttemptCostsTable, CostVersionsTable, ExchangeRatesTable } from '../tables/costs.ts'

/** The list of each channel that is in force. */
export const listCurrent = async (db: Database) => {
  const latest = db
    .selectFrom('cost_lists')
    .groupBy('channel_id')
    .select(({ fn }) => ['channel_id', fn.max('valid_from').as('valid_from')])
    .as('latest')
  return db
    .selectFrom('cost_lists as l')
    .innerJoin(latest, join =>
      join
        .onRef('latest.channel_id', '=', 'l.channel_id')
        .onRef('latest.valid_from', '=', 'l.valid_from'),
    )
    .select(['l.channel_id', 'l.body'])
    .execute()
}

/** The lists of a channel, newest first, with who wrote them. */
export const listOfChannel = (db: Database, channelId: number, max: number) =>
  db
    .selectFrom('cost_lists')
    .leftJoin('users', 'users.id', 'cost_lists.created_by')
    .select(['body', 'valid_from', 'created_by', 'users.username as created_by_name'])
    .where('channel_id', '=', channelId)
    .orderBy('valid_from', 'desc')
    .limit(max)
    .execute()

type NewList = { channelId: number; body: string | null; at: number; userId: number }

/** Puts a list in force. A clock that is behind, or a second list within a second, does not hide it behind the last one. */
export const addList = async (
  db: Database,
  { channelId, body, at, userId }: NewList,
): Promise<void> => {
  const [last] = await listOfChannel(db, channelId, 1)
  const valid_from = Math.max(at, (last?.valid_from ?? 0) + 1)
  const row = { channel_id: channelId, valid_from, body, created_by: userId }
  await db.insertInto('cost_lists').values(row).execute()
}

/** The last readings of upstreams that are gateways, with the options of their channels. */
export const listUpstreams = (db: Database) =>
  db
    .selectFrom('upstream_groups')
    .innerJoin('channels', 'channels.id', 'upstream_groups.channel_id')
    .select(['channels.id', 'channels.plugin', 'groups', 'prices'])
    .where('read_at', '>', 0)
    .where('deleted_at', 'is', null)
    .execute()

/** Adds the terms of a cost, unless they are there. */
export const addVersion = async (
  db: Database,
  version: Insertable<CostVersionsTable>,
): Promise<void> => {
  await db
    .insertInto('cost_versions')
    .values(version)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** Adds attempts that ended after their call was charged. */
export const addAttempts = async (
  db: Database,
  attempts: readonly AttemptCostsTable[],
): Promise<void> => {
  await db
    .insertInto('attempt_costs')
    .values([...attempts])
    .onConflict(conflict => conflict.columns(['call_id', 'attempt']).doNothing())
    .execute()
}

/** Every rate, the newest first. */
export const listRates = (db: Database) =>
  db
    .selectFrom('exchange_rates')
    .leftJoin('users', 'users.id', 'exchange_rates.created_by')
    .selectAll('exchange_rates')
    .select('users.username as created_by_name')
    .orderBy('valid_from', 'desc')
    .orderBy('currency')
    .execute()

/** Sets the rate of a currency from a time on. Another one from the same time is replaced. */
export const setRate = async (
  db: Database,
  { currency, valid_from, ...rate }: ExchangeRatesTable,
): Promise<void> => {
  await db
    .insertInto('exchange_rates')
    .values({ currency, valid_from, ...rate })
    .onConflict(conflict => conflict.columns(['currency', 'valid_from']).doUpdateSet(rate))
    .execute()
}
