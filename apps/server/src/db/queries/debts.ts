import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** Points of the order that refunds and disputes could not take back. */
export const find = async (db: Database, orderId: number): Promise<number> =>
  (await db.selectFrom('debts').select('points').where('order_id', '=', orderId).executeTakeFirst())
    ?.points ?? 0

export const write = async (
  db: Database,
  row: { order_id: number; user_id: number; points: number; created_at: number },
): Promise<void> => {
  await db
    .insertInto('debts')
    .values(row)
    .onConflict(conflict => conflict.column('order_id').doUpdateSet({ points: row.points }))
    .execute()
}

/** The open debts of a user, the oldest first. */
export const listOpen = (db: Database, userId: number) =>
  db
    .selectFrom('debts')
    .select(['order_id', 'points'])
    .where('user_id', '=', userId)
    .where('points', '>', 0)
    .orderBy('order_id')
    .execute()

/** Points that a user owes. */
export const sumOpen = async (db: Database, userId: number): Promise<number> =>
  (await listOpen(db, userId)).reduce((sum, { points }) => sum + points, 0)

/** A check constraint refuses to pay more than the debt. */
export const pay = async (tx: Database, orderId: number, points: number): Promise<void> => {
  await tx
    .updateTable('debts')
    .set({ points: sql<number>`points - ${points}` })
    .where('order_id', '=', orderId)
    .execute()
}

const hasDebt = sql<boolean>`exists (select 1 from debts
  where debts.user_id = accounts.user_id and debts.points > 0)`

/** Literals, so that the planner can prove the condition of the partial index. */
const isFrozenByDebt = sql<boolean>`frozen_by_debt = 1`

/** Freezes an account with an open debt, unless it is frozen. */
export const freeze = async (tx: Database, userId: number): Promise<void> => {
  await tx
    .updateTable('accounts')
    .set({ frozen: 1, frozen_by_debt: 1 })
    .where('user_id', '=', userId)
    .where('frozen', '=', 0)
    .where(hasDebt)
    .execute()
}

/** Thaws an account that a debt has frozen: if the debt is paid, or in any case. */
export const thaw = async (
  tx: Database,
  userId: number,
  { inAnyCase }: { inAnyCase: boolean },
): Promise<void> => {
  await tx
    .updateTable('accounts')
    .set({ frozen: 0, frozen_by_debt: null })
    .where('user_id', '=', userId)
    .where(isFrozenByDebt)
    .$if(!inAnyCase, rows => rows.where(sql<boolean>`not (${hasDebt})`))
    .execute()
}

/** Users that owe points and are not frozen, or that a debt has frozen. */
export const listUnaligned = async (db: Database, isOn: boolean): Promise<number[]> => {
  const frozen = await db
    .selectFrom('accounts')
    .select('user_id')
    .where(isFrozenByDebt)
    .$if(isOn, rows => rows.where(sql<boolean>`not (${hasDebt})`))
    .execute()
  const owing = await db
    .selectFrom('debts')
    .innerJoin('accounts', 'accounts.user_id', 'debts.user_id')
    .select('debts.user_id')
    .distinct()
    .where('debts.points', '>', 0)
    .where('accounts.frozen', '=', 0)
    .execute()
  return [...frozen, ...(isOn ? owing : [])].map(({ user_id }) => user_id)
}
