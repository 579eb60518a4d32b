import { sql, type Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { RedemptionsTable } from '../tables/redemptions.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'
import { matchesKeyword } from './text.ts'

const used = 3
const isExpired = (now: number) => sql<boolean>`(expires_at <> -1 and expires_at <= ${now})`

/** Codes that are not deleted, with their current status and the name of the user who redeemed them. */
const notDeleted = (db: Database, now: number) =>
  db
    .selectFrom('redemptions')
    .leftJoin('users', 'users.id', 'redemptions.used_user_id')
    .where('redemptions.deleted_at', 'is', null)
    .selectAll('redemptions')
    .select(['users.username as used_username', currentStatus(now).as('current_status')])

/** 1 enabled, 2 disabled, 3 used, 4 expired. A used code does not expire. */
const currentStatus = (now: number) =>
  sql<number>`case when redemptions.status <> 3 and ${isExpired(now)} then 4 else redemptions.status end`

export type RedemptionRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Database, id: number, now: number) =>
  notDeleted(db, now).where('redemptions.id', '=', id).executeTakeFirst()

/** Finds deleted codes too, so that an error can name the reason. */
export const findByHash = (db: Database, hash: string) =>
  db.selectFrom('redemptions').selectAll().where('key_hash', '=', hash).executeTakeFirst()

type RedemptionFilter = Paging & {
  keyword?: string | undefined
  /** Hash of the keyword, which may be a whole code. */
  keyHash?: string | undefined
  status?: number | undefined
}

const sortable = ['name', 'status', 'quota', 'created_time', 'redeemed_time']

export const list = (db: Database, filter: RedemptionFilter, now: number) => {
  const { keyword, keyHash = '', status } = filter
  const query = notDeleted(db, now)
    .$if(!!keyword, rows =>
      rows.where(where =>
        where.or([
          matchesKeyword(keyword!, ['redemptions.name'], 'redemptions.id'),
          where('redemptions.key_hash', '=', keyHash),
        ]),
      ),
    )
    .$if(status !== undefined, rows => rows.where(currentStatus(now), '=', status!))
  return selectPage(db, query, filter, columnRefs('redemptions', ...sortable))
}

/** Marks a code as used. Of parallel attempts one gets the row; undefined when the code cannot be redeemed. */
export const claim = (db: Database, hash: string, userId: number, now: number) =>
  db
    .updateTable('redemptions')
    .set({ status: used, redeemed_time: now, used_user_id: userId })
    .where('key_hash', '=', hash)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`not ${isExpired(now)}`)
    .returning(['id', 'name', 'quota', 'user_id'])
    .executeTakeFirst()

/** Changes a code that is not used. Returns false when it is used or deleted. */
export const update = (db: Database, id: number, change: Updateable<RedemptionsTable>) =>
  changedOne(
    db
      .updateTable('redemptions')
      .set(change)
      .where('id', '=', id)
      .where('status', '<>', used)
      .where('deleted_at', 'is', null),
  )

/** Deletes a code by its date, since the ledger refers to the row. Returns false when there is none. */
export const remove = (db: Database, id: number, now: number) =>
  changedOne(
    db
      .updateTable('redemptions')
      .set({ deleted_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
  )
