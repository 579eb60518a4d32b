import { promoteUser, takeBackPromotion } from '../../core/accounts/promote-user.ts'
import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as balances from '../../db/queries/accounts.ts'
import * as debts from '../../db/queries/debts.ts'
import * as orders from '../../db/queries/orders.ts'
import { sumToppedUp } from '../../db/queries/top-ups.ts'
import { accounts } from '../accounts.ts'
import { alignReward } from '../invitations/rewards.ts'
import { post, type Transfer } from '../ledger.ts'
import { alignDebtFreeze } from './debts.ts'
import { recordGroup } from './record-event.ts'

/**
 * Brings an order in line with its refunds and disputes: takes back at most the free balance, writes the rest as a debt,
 * and gives points back when a dispute was won. The promotion of the user follows. The caller holds the locks of the
 * user and of the order.
 */
export const applyReversals = async (
  app: App,
  tx: Database,
  orderId: number,
  now: number,
): Promise<void> => {
  const order = (await orders.find(tx, orderId))!
  const { refunded, disputed } = await reversedAmounts(tx, order)
  const target = pointsOf(order, Math.min(order.pay_amount, refunded + disputed))
  const debt = await debts.find(tx, orderId)
  const missing = target - order.taken_back - debt
  await alignPromotion(app, tx, order, missing)
  const paid = missing === 0 ? 0 : (await sumToppedUp(tx, order.user_id)) - missing
  const rewards = missing === 0 ? [] : await alignReward(app, tx, order.user_id, paid)
  const free = missing > 0 ? await lockFreeBalance(tx, order.user_id) : 0
  const taken = missing > 0 ? Math.min(missing, free) : 0
  const forgiven = missing < 0 ? Math.min(debt, -missing) : 0
  const returned = missing < 0 ? -missing - forgiven : 0
  const newDebt = debt + Math.max(0, missing) - taken - forgiven
  if (newDebt !== debt)
    await debts.write(tx, {
      order_id: orderId,
      user_id: order.user_id,
      points: newDebt,
      created_at: now,
    })
  const take_backs = order.take_backs + 1
  await orders.update(tx, orderId, {
    ...statusAfter(order, refunded, disputed, now),
    taken_back: order.taken_back + taken - returned,
    take_backs,
  })
  const amount = taken + returned
  const postings: Transfer[] = [...rewards]
  if (amount > 0) {
    const [debit, credit] =
      taken > 0 ? [order.user_id, accounts.clearing] : [accounts.clearing, order.user_id]
    const source = `order:${orderId}:${take_backs}`
    postings.push({ kind: 'refund', source, debit, credit, amount })
  }
  await post(app, tx, postings)
  await alignDebtFreeze(app, tx, order.user_id)
}

/** Moves the user down for points that go, or up again for points that return. The sums do not contain them yet. */
const alignPromotion = async (
  app: App,
  tx: Database,
  order: orders.OrderRow,
  missing: number,
): Promise<void> => {
  if (missing === 0) return
  const change =
    missing > 0
      ? await takeBackPromotion(app, tx, order.user_id, missing)
      : await promoteUser(app, tx, order.user_id, -missing)
  await recordGroup(app, tx, order, change)
}

/** Minor units that went back to the payer or are on their way, and those that a dispute holds or has taken. */
const reversedAmounts = async (tx: Database, order: orders.OrderRow) => {
  const reversals = await orders.listReversals(tx, order.id)
  const sum = (kind: string, states: string[]) =>
    reversals
      .filter(each => each.kind === kind && states.includes(each.state))
      .reduce((total, each) => total + each.amount, 0)
  return {
    refunded: Math.max(order.refunded_total, sum('refund', ['pending', 'done'])),
    disputed: sum('dispute', ['open', 'lost']),
  }
}

/** Points of a part of the payment, rounded down in favour of the user. None before the order was credited. */
const pointsOf = (order: orders.OrderRow, reversed: number): number => {
  if (order.credited_at === null) return 0
  return Number((BigInt(order.points) * BigInt(reversed)) / BigInt(order.pay_amount))
}

/** Locks the account, so that the balance stays until the posting. */
const lockFreeBalance = async (tx: Database, userId: number): Promise<number> => {
  await balances.change(tx, userId, 0)
  const account = await balances.find(tx, userId)
  return account ? account.balance - account.held : 0
}

const statusAfter = (
  order: orders.OrderRow,
  refunded: number,
  disputed: number,
  now: number,
): { status?: string; next_query_at?: number | null } => {
  if (disputed > 0) return { status: 'disputed', next_query_at: null }
  if (refunded >= order.pay_amount) return { status: 'refunded', next_query_at: null }
  if (order.status !== 'disputed' && order.status !== 'refunded') return {}
  if (order.credited_at !== null) return { status: 'credited' }
  // The dispute of a payment that was never credited was won, so the vendor is asked again.
  return { status: 'paid', next_query_at: now }
}
