import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { TransfersTable } from '../tables/ledger.ts'

// Balances change only here, for transfers that are no requests, and in the ledger batch of the engines.

export const open = async (db: Database, userId: number): Promise<void> => {
  const row = { user_id: userId, balance: 0, held: 0, used: 0, requests: 0, frozen: 0 }
  await db.insertInto('accounts').values(row).execute()
}

export const find = (db: Database, userId: number) =>
  db.selectFrom('accounts').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const exists = async (db: Database, userId: number): Promise<boolean> =>
  (await find(db, userId)) !== undefined

/** Changes a balance. False if it would fall below the held amount or exceed the safe integers. */
export const change = async (db: Database, userId: number, amount: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ balance: sql<number>`balance + ${amount}` })
    .where('user_id', '=', userId)
    .where(
      amount < 0
        ? sql<boolean>`balance - held >= ${-amount}`
        : sql<boolean>`balance <= ${Number.MAX_SAFE_INTEGER - amount}`,
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const setFrozen = async (db: Database, userId: number, frozen: 0 | 1): Promise<void> => {
  await db
    .updateTable('accounts')
    .set({ frozen, frozen_by_debt: null })
    .where('user_id', '=', userId)
    .execute()
}

/** Inserts a transfer unless one of this kind and source exists. Returns whether it was inserted. */
export const record = async (db: Database, row: TransfersTable): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('transfers')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
