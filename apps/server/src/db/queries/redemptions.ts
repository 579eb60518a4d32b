import type { Insertable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { RedemptionsTable } from '../tables/grants.ts'
import { type Paging, pageOf } from './paging.ts'
import { startsWith } from './text.ts'

const used = 3

/** Codes that were not deleted, with the name of whoever used them. */
const living = (db: Database) =>
  db
    .selectFrom('redemptions')
    .leftJoin('users', 'users.id', 'redemptions.used_user_id')
    .where('redemptions.deleted_at', 'is', null)
    .selectAll('redemptions')
    .select('users.username as used_username')

export type RedemptionRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Database, id: number) =>
  living(db).where('redemptions.id', '=', id).executeTakeFirst()

/** Also a deleted one is found, so that a refusal can say why. */
export const findByHash = (db: Database, hash: string) =>
  db.selectFrom('redemptions').selectAll().where('key_hash', '=', hash).executeTakeFirst()

type Wanted = Paging & {
  keyword?: string | undefined
  /** The hash of the keyword, should it be a whole code. */
  keyHash?: string | undefined
  /** 1 enabled, 2 disabled, 3 used, 4 expired. */
  status?: number | undefined
  now: number
}

export const list = (db: Database, { keyword, keyHash, status, now, ...paging }: Wanted) => {
  const isExpired = sql<boolean>`expires_at <> -1 and expires_at <= ${now}`
  const query = living(db)
    .$if(!!keyword, rows =>
      rows.where(where =>
        where.or([
          startsWith('redemptions.name', keyword!),
          where('redemptions.key_hash', '=', keyHash ?? ''),
          ...(/^\d{1,15}$/.test(keyword!) ? [where('redemptions.id', '=', Number(keyword))] : []),
        ]),
      ),
    )
    .$if(status === 4, rows => rows.where('redemptions.status', '<>', used).where(isExpired))
    .$if(status === used, rows => rows.where('redemptions.status', '=', used))
    .$if(status === 1 || status === 2, rows =>
      rows.where('redemptions.status', '=', status!).where(sql<boolean>`not (${isExpired})`),
    )
  return pageOf(db, query, paging, {
    id: sql.ref('redemptions.id'),
    name: sql.ref('redemptions.name'),
    status: sql.ref('redemptions.status'),
    quota: sql.ref('redemptions.quota'),
    created_time: sql.ref('redemptions.created_time'),
    redeemed_time: sql.ref('redemptions.redeemed_time'),
  })
}

/** The code is sealed to its row, so the row comes first. */
export const insert = async (
  db: Database,
  row: Omit<Insertable<RedemptionsTable>, 'key_sealed'>,
  seal: (id: number) => string,
): Promise<void> => {
  const { id } = await db
    .insertInto('redemptions')
    .values({ ...row, key_sealed: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('redemptions')
    .set({ key_sealed: seal(id) })
    .where('id', '=', id)
    .execute()
}

/** Of all who ask at once one gets it: the row, or nothing where it is used, disabled, expired, deleted or not there. */
export const claim = (db: Database, hash: string, userId: number, now: number) =>
  db
    .updateTable('redemptions')
    .set({ status: used, redeemed_time: now, used_user_id: userId })
    .where('key_hash', '=', hash)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(expires_at = -1 or expires_at > ${now})`)
    .returning(['id', 'name', 'quota'])
    .executeTakeFirst()

/** What a code is worth may change until it is used, not later; false where it is. */
export const update = async (
  db: Database,
  id: number,
  change: Updateable<RedemptionsTable>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('redemptions')
    .set(change)
    .where('id', '=', id)
    .where('status', '<>', used)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const remove = async (db: Database, id: number, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('redemptions')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
