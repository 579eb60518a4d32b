import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** Literals, so that the planner can prove the condition of the partial indexes. */
const isTopUp = sql<boolean>`kind in ('order', 'redemption', 'refund')`

const sumOf = async (db: Database, side: 'credit' | 'debit', userId: number): Promise<number> => {
  const { total } = await db
    .selectFrom('transfers')
    .select(sql<number | string | null>`sum(amount)`.as('total'))
    .where(isTopUp)
    .where(side, '=', userId)
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

/** Points that a user got for orders and codes, less what refunds took back. */
export const sumToppedUp = async (db: Database, userId: number): Promise<number> =>
  (await sumOf(db, 'credit', userId)) - (await sumOf(db, 'debit', userId))
