import type { Insertable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { TokensTable } from '../tables/groups-tokens.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, insertSealed } from './rows.ts'
import { startsWith } from './text.ts'
import * as topics from './topics.ts'

const withSpend = (db: Database) =>
  db
    .selectFrom('tokens')
    .innerJoin('token_spend', 'token_spend.token_id', 'tokens.id')
    .where('tokens.deleted_at', 'is', null)
    .selectAll('tokens')
    .select([
      'token_spend.token_id',
      'token_spend.status',
      'token_spend.expires_at',
      'token_spend.cap',
      'token_spend.used',
      'token_spend.held',
      'token_spend.last_used_at',
    ])

const ofUser = (db: Database, userId: number) => withSpend(db).where('tokens.user_id', '=', userId)

const withOwner = (db: Database) =>
  withSpend(db)
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['users.username', 'users.display_name'])

export type TokenRow = NonNullable<Awaited<ReturnType<typeof find>>>
export type OwnedTokenRow = NonNullable<Awaited<ReturnType<typeof findOfAnyone>>>

export const find = (db: Database, userId: number, id: number) =>
  ofUser(db, userId).where('tokens.id', '=', id).executeTakeFirst()

export const listByIds = (db: Database, userId: number, ids: readonly number[]) =>
  ofUser(db, userId).where('tokens.id', 'in', ids).orderBy('tokens.id').execute()

export const findByName = (db: Database, userId: number, name: string) =>
  ofUser(db, userId)
    .where('tokens.name', '=', name)
    .orderBy('tokens.id')
    .limit(1)
    .executeTakeFirst()

/** For administrators. */
export const findOfAnyone = (db: Database, id: number) =>
  withOwner(db).where('tokens.id', '=', id).executeTakeFirst()

const orderColumns = {
  id: sql.ref('tokens.id'),
  name: sql.ref('tokens.name'),
  status: sql.ref('token_spend.status'),
  expired_time: sql.ref('token_spend.expires_at'),
  created_time: sql.ref('tokens.created_time'),
  remain_quota: sql`coalesce(token_spend.cap - token_spend.used - token_spend.held, 0)`,
  used_quota: sql.ref('token_spend.used'),
}

export const list = (
  db: Database,
  userId: number,
  { keyword, ...paging }: Paging & { keyword?: string | undefined },
) => {
  const all = ofUser(db, userId)
  const query = keyword ? all.where(startsWith('tokens.name', keyword)) : all
  return selectPage(db, query, paging, orderColumns)
}

type TokenFilter = {
  keyword?: string | undefined
  user_id?: number | undefined
  token_id?: number | undefined
}

export const search = (
  db: Database,
  { keyword, user_id, token_id, ...paging }: Paging & TokenFilter,
) => {
  const named = ['tokens.name', 'users.username', 'users.display_name']
  const query = withOwner(db)
    .$if(!!keyword, rows =>
      rows.where(where => where.or(named.map(column => startsWith(column, keyword!)))),
    )
    .$if(user_id !== undefined, rows => rows.where('tokens.user_id', '=', user_id!))
    .$if(token_id !== undefined, rows => rows.where('tokens.id', '=', token_id!))
  return selectPage(db, query, paging, orderColumns)
}

/**
 * Moves a token to another user. False: calls of the old owner are still running, and their holds name both. A hold that
 * opens now finds another owner, and is refused.
 */
export const transfer = async (db: Database, id: number, userId: number): Promise<boolean> => {
  const isIdle = await changedOne(
    db
      .updateTable('token_spend')
      .set({ user_id: userId })
      .where('token_id', '=', id)
      .where('held', '=', 0),
  )
  if (isIdle) await db.updateTable('tokens').set({ user_id: userId }).where('id', '=', id).execute()
  return isIdle
}

export const insert = (
  db: Database,
  token: Omit<Insertable<TokensTable>, 'key_sealed'>,
  seal: (id: number) => string,
) => insertSealed(db, 'tokens', token, seal)

export const update = async (
  db: Database,
  ids: readonly number[],
  change: Updateable<TokensTable>,
): Promise<void> => {
  if (Object.keys(change).length === 0) return
  await db.updateTable('tokens').set(change).where('id', 'in', ids).execute()
}

/**
 * Announces a change of tokens, or of everything a user owns, to the token caches of all nodes. Call it in the
 * transaction of the change, before the rows are changed: it locks the topic.
 */
export const announceChange = async (
  db: Database,
  changed: { ids: readonly number[] } | { user_id: number },
): Promise<void> => {
  const version = await topics.increment(db, 'tokens')
  const tokens = db.updateTable('tokens').set({ version })
  await ('ids' in changed
    ? tokens.where('id', 'in', changed.ids)
    : tokens.where('user_id', '=', changed.user_id)
  ).execute()
}

export const countOfUser = async (db: Database, userId: number): Promise<number> => {
  const { n } = await db
    .selectFrom('tokens')
    .select(eb => eb.fn.countAll<number | string>().as('n'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Returns how many of the tokens were the user's and are deleted now. */
export const remove = async (
  db: Database,
  userId: number,
  ids: readonly number[],
  now: number,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ deleted_at: now })
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
