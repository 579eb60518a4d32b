import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as debts from '../../db/queries/debts.ts'
import * as orders from '../../db/queries/orders.ts'
import { accounts } from '../accounts.ts'
import type { Transfer } from '../ledger.ts'
import { recordEvent } from './record-event.ts'

/**
 * Pays the debts of a user, the oldest first, out of a top-up of `points` that this transaction is about to post. Returns
 * the postings, which go into the same `post`. The caller holds the lock of the user.
 */
export const payDebts = async (
  app: App,
  tx: Database,
  userId: number,
  { points, source }: { points: number; source: string },
): Promise<Transfer[]> => {
  const postings: Transfer[] = []
  let left = points
  for (const debt of await debts.listOpen(tx, userId)) {
    const amount = Math.min(left, debt.points)
    if (amount === 0) break
    left -= amount
    const order = (await orders.lock(tx, debt.order_id))!
    const take_backs = order.take_backs + 1
    await debts.pay(tx, order.id, amount)
    await orders.update(tx, order.id, { taken_back: order.taken_back + amount, take_backs })
    const detail = JSON.stringify({ points: amount, by: source })
    await recordEvent(app, tx, order, { kind: 'debt', source: '', outcome: 'paid', detail })
    postings.push({
      kind: 'debt',
      source: `order:${order.id}:${take_backs}`,
      debit: userId,
      credit: accounts.clearing,
      amount,
      note: { by: source },
    })
  }
  return postings
}

/**
 * Freezes or thaws the account of a user as debts and the setting say. Call it after `post`, since it locks the account.
 * An account that was frozen for another reason stays as it is.
 */
export const alignDebtFreeze = async (app: App, tx: Database, userId: number): Promise<void> => {
  const isOn = app.settings().payment.FreezeForDebtEnabled
  if (isOn) await debts.freeze(tx, userId)
  await debts.thaw(tx, userId, { inAnyCase: !isOn })
}

/** Aligns all accounts, after a change of the setting. Safe on several nodes at once. */
export const alignDebtFreezes = async (app: App): Promise<void> => {
  const isOn = app.settings().payment.FreezeForDebtEnabled
  for (const userId of await debts.listUnaligned(app.db, isOn))
    await app.db.transaction().execute(tx => alignDebtFreeze(app, tx, userId))
}
