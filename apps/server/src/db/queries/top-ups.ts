import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** Literals, so that the planner can prove the condition of the partial indexes. */
const isTopUp = sql<boolean>`kind in ('order', 'redemption', 'refund') and kind <> 'refund'`

/** Points that a user got for orders and codes, less what refunds and disputes took back or left as a debt. */
export const sumToppedUp = async (db: Database, userId: number): Promise<number> => {
  const sum = sql<number | string | null>
  const credited = await db
    .selectFrom('transfers')
    .select(sum`sum(amount)`.as('total'))
    .where(isTopUp)
    .where('credit', '=', userId)
    .executeTakeFirstOrThrow()
  const reversed = await db
    .selectFrom('orders')
    .leftJoin('debts', 'debts.order_id', 'orders.id')
    .select(sum`sum(orders.taken_back + coalesce(debts.points, 0))`.as('total'))
    .where('orders.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(credited.total ?? 0) - Number(reversed.total ?? 0)
}
