import type { Group } from '@hub/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { UserGroupsTable } from '../tables/groups-tokens.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne } from './rows.ts'
import { commaListIncludes, startsWith } from './text.ts'

export type GroupRow = Selectable<UserGroupsTable>

export const find = (db: Database, id: number) =>
  db.selectFrom('user_groups').selectAll().where('id', '=', id).executeTakeFirst()

export const findBySymbol = (db: Database, symbol: string) =>
  db.selectFrom('user_groups').selectAll().where('symbol', '=', symbol).executeTakeFirst()

export const listAll = (db: Database): Promise<GroupRow[]> =>
  db.selectFrom('user_groups').selectAll().execute()

export const listSymbols = async (db: Database): Promise<string[]> =>
  (await db.selectFrom('user_groups').select('symbol').execute()).map(({ symbol }) => symbol)

export const listRatios = (db: Database) =>
  db.selectFrom('user_groups').select(['symbol', 'ratio']).orderBy('symbol').execute()

export const listEnabled = (db: Database) =>
  db.selectFrom('user_groups').selectAll().where('enable', '=', 1).orderBy('id').execute()

export const list = (
  db: Database,
  {
    keyword,
    enable,
    ...paging
  }: Paging & { keyword?: string | undefined; enable?: boolean | undefined },
) => {
  const query = db
    .selectFrom('user_groups')
    .selectAll()
    .$if(enable !== undefined, rows => rows.where('enable', '=', Number(enable)))
    .$if(!!keyword, rows =>
      rows.where(where => where.or([startsWith('symbol', keyword!), startsWith('name', keyword!)])),
    )
  return selectPage(db, query, paging, {
    id: sql.ref('id'),
    symbol: sql.ref('symbol'),
    name: sql.ref('name'),
    ratio: sql`cast(ratio as real)`,
    api_rate: sql.ref('api_rate'),
    public: sql.ref('public'),
    enable: sql.ref('enable'),
  })
}

/** Returns the id, or undefined if the symbol exists. */
export const insert = async (db: Database, group: Insertable<UserGroupsTable>) => {
  const row = await db
    .insertInto('user_groups')
    .values(group)
    .onConflict(conflict => conflict.column('symbol').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** The enabled groups that users reach by what they paid, the highest first. */
export const listPromotions = (db: Database) =>
  db
    .selectFrom('user_groups')
    .select(['symbol', 'min', 'max'])
    .where('enable', '=', 1)
    .where('promotion', '=', 1)
    .orderBy('min', 'desc')
    .execute()

export const update = (db: Database, id: number, change: Updateable<UserGroupsTable>) =>
  changedOne(
    db
      .updateTable('user_groups')
      .set({ id, ...change })
      .where('id', '=', id),
  )

export const toggle = async (db: Database, id: number) => {
  await db
    .updateTable('user_groups')
    .set({ enable: sql<number>`1 - enable` })
    .where('id', '=', id)
    .execute()
}

export const remove = async (db: Database, id: number) => {
  await db.deleteFrom('user_groups').where('id', '=', id).execute()
}

export const isUsed = async (db: Database, symbol: string): Promise<boolean> => {
  const users = db
    .selectFrom('users')
    .select('id')
    .where('group', '=', symbol)
    .where('deleted_at', 'is', null)
  const tokens = db
    .selectFrom('tokens')
    .select('id')
    .where('group', '=', symbol)
    .where('deleted_at', 'is', null)
  const channels = db
    .selectFrom('channels')
    .select('id')
    .where(commaListIncludes('group', symbol))
    .where('deleted_at', 'is', null)
  const row = await users.unionAll(tokens).unionAll(channels).limit(1).executeTakeFirst()
  return row !== undefined
}

export const asGroup = (row: GroupRow): Group => ({
  id: row.id,
  symbol: row.symbol,
  name: row.name,
  ratio: Number(row.ratio),
  api_rate: row.api_rate,
  requests_per_day: row.requests_per_day,
  tokens_per_minute: row.tokens_per_minute,
  concurrent_requests: row.concurrent_requests,
  quota_per_day: row.quota_per_day,
  quota_per_month: row.quota_per_month,
  public: row.public === 1,
  enable: row.enable === 1,
  promotion: row.promotion === 1,
  min: row.min ?? 0,
  max: row.max ?? 0,
})
