import { Fault, logTypes } from '@hub/contract'
import { promoteUser } from '../../core/accounts/promote-user.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import type { Database } from '../../db/index.ts'
import { notedColumns } from '../../db/queries/log-notes.ts'
import * as logs from '../../db/queries/logs.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import * as orders from '../../db/queries/orders.ts'
import * as users from '../../db/queries/users.ts'
import type { PaymentEvent } from '../../integrations/payments/payment-gateway.ts'
import { accounts } from '../accounts.ts'
import { lockWithInviter, rewardAfterPayment } from '../invitations/rewards.ts'
import { post } from '../ledger.ts'
import { alignDebtFreeze, payDebts } from './debts.ts'
import { recordEvent, recordGroup } from './record-event.ts'
import { applyReversals } from './take-back.ts'

/** The way by which an event came: the row of `order_events` that it leaves. */
export type EventOrigin = { kind: 'notice' | 'query' | 'refund' | 'manual'; source: string }

type PaidEvent = Extract<PaymentEvent, { kind: 'paid' }>

const creditable = ['pending', 'paid', 'closed', 'review']

/**
 * Applies a verified event to its order in one transaction. Every event may arrive any number of times, in any order and
 * at several nodes at once. Returns undefined if this gateway never had such an order.
 */
export const applyEvent = async (
  app: App,
  gatewayId: number,
  event: PaymentEvent,
  origin: EventOrigin,
): Promise<string | undefined> => {
  const found = await orders.findByTradeNo(app.db, event.tradeNo)
  if (found?.gateway_id !== gatewayId) return undefined
  const isRecorded = await mayRecord(app, found.id, origin.kind)
  const apply = (tx: Database) => applyLocked(app, tx, found, event, { ...origin, isRecorded })
  try {
    return await app.db.transaction().execute(apply)
  } catch (error) {
    if (event.kind !== 'paid' || !(error instanceof Fault)) throw error
    return await keepPaid(app, found, error.code, origin)
  }
}

const recordsMax = 60
const recordsSeconds = 3600

/** Repeats of an event are stored up to 60 times an hour. */
const mayRecord = async (app: App, orderId: number, kind: string): Promise<boolean> =>
  (await app.state.count(`order-event:${orderId}:${kind}`, recordsSeconds, recordsMax)).ok

const applyLocked = async (
  app: App,
  tx: Database,
  { id, user_id }: Pick<orders.OrderRow, 'id' | 'user_id'>,
  event: PaymentEvent,
  { isRecorded, ...origin }: EventOrigin & { isRecorded: boolean },
): Promise<string> => {
  // Promotions and debts follow from all orders of the user, so these take turns.
  await lockWithInviter(tx, user_id)
  const order = (await orders.lock(tx, id))!
  const outcome =
    event.mismatch ?? (await refundMismatch(tx, order, event)) ?? outcomeOf(order, event)
  const now = nowSeconds(app)
  // The ledger locks the account, so the event is stored first.
  if (isRecorded || outcome !== 'duplicate')
    await recordEvent(app, tx, order, { ...origin, outcome, detail: detailOf(event) })
  if (event.mismatch) await sendToReview(app, tx, order, event.mismatch)
  else if (event.kind === 'paid') await applyPaid(app, tx, order, event, outcome, now)
  else if (event.kind === 'closed') await close(tx, order.id, now)
  else if (outcome === 'accepted') await applyReversal(app, tx, order, event, now)
  return outcome
}

/** `accepted`, `duplicate`, or the fact that differs. */
const outcomeOf = (order: orders.OrderRow, event: PaymentEvent): string => {
  if (event.kind === 'closed') return order.status === 'pending' ? 'accepted' : 'duplicate'
  if (event.kind !== 'paid') return 'accepted'
  if (event.amount !== order.pay_amount) return 'amount'
  if (event.currency !== undefined && event.currency !== order.currency) return 'currency'
  if (!creditable.includes(order.status)) return 'duplicate'
  return event.unverified ? 'unverified' : 'accepted'
}

/** A refund is known by its number. A notice that names it with another amount is not about it. */
const refundMismatch = async (
  tx: Database,
  order: orders.OrderRow,
  event: PaymentEvent,
): Promise<'amount' | 'unknown_refund' | undefined> => {
  if (event.kind !== 'refunded') return undefined
  const key = { order_id: order.id, kind: 'refund', number: event.id }
  const known = await orders.findReversal(tx, key)
  if (!known) return event.amount === undefined ? 'unknown_refund' : undefined
  return event.amount === undefined || event.amount === known.amount ? undefined : 'amount'
}

const applyPaid = async (
  app: App,
  tx: Database,
  order: orders.OrderRow,
  { gatewayNo }: PaidEvent,
  outcome: string,
  now: number,
): Promise<void> => {
  if (outcome === 'accepted') await creditOrder(app, tx, order, gatewayNo, now)
  else if (outcome !== 'duplicate') await sendToReview(app, tx, order, outcome)
}

/**
 * Credits an order once. The statement decides the race, and the unique source of the posting is a second guard. The
 * caller holds the locks of the user and of the inviter.
 */
export const creditOrder = async (
  app: App,
  tx: Database,
  order: orders.OrderRow,
  gatewayNo: string,
  now: number,
): Promise<void> => {
  const { id, user_id, points, trade_no } = order
  const gateway_no = gatewayNo || order.gateway_no
  const paid_at = order.paid_at ?? now
  if (!(await orders.markCredited(tx, id, { gateway_no, paid_at, credited_at: now }))) return
  const user = await users.find(tx, user_id)
  await logs.insert(tx, {
    ...logs.emptyCallColumns,
    id: app.ledger.nextId(),
    user_id,
    created_at: now,
    type: logTypes.topUp,
    username: user?.username ?? '',
    quota: points,
    source_ip: order.source_ip,
    ...notedColumns('order', trade_no, { order: id }),
  })
  await emitOrder(app, tx, 'order.paid', order, user?.username)
  const source = `order:${id}`
  const debit = accounts.clearing
  const debts = await payDebts(app, tx, user_id, { points, source })
  const rewards = await rewardAfterPayment(app, tx, user_id)
  await recordGroup(app, tx, order, await promoteUser(app, tx, user_id, points))
  await post(app, tx, [
    { kind: 'order', source, debit, credit: user_id, amount: points },
    ...debts,
    ...rewards,
  ])
  await applyReversals(app, tx, id, now)
  await alignDebtFreeze(app, tx, user_id)
}

/** The vendor has the money but the credit failed, so the order is shown as paid and the vendor asked again. */
const keepPaid = async (
  app: App,
  order: orders.OrderRow,
  code: string,
  origin: EventOrigin,
): Promise<string> => {
  const now = nowSeconds(app)
  await app.db.transaction().execute(async tx => {
    const change = { status: 'paid', paid_at: now, next_query_at: now + retrySeconds }
    await orders.move(tx, order.id, creditable, change)
    await recordEvent(app, tx, order, { ...origin, outcome: code, detail: '' })
  })
  return code
}

const retrySeconds = 3600

const sendToReview = async (
  app: App,
  tx: Database,
  order: orders.OrderRow,
  reason: string,
): Promise<void> => {
  const change = { status: 'review', review_reason: reason, next_query_at: null }
  if (!(await orders.move(tx, order.id, creditable, change))) return
  const user = await users.find(tx, order.user_id)
  await emitOrder(app, tx, 'order.review', order, user?.username, reason)
}

/** Once per order and state, for the administrators and the buyer. */
const emitOrder = (
  app: App,
  tx: Database,
  event: 'order.paid' | 'order.review',
  { id, user_id, trade_no, amount }: orders.OrderRow,
  user = '',
  reason = '',
) =>
  emit(app, tx, {
    event,
    key: `${event}:${id}`,
    userIds: [administrators, user_id],
    facts: { trade_no, usd: amount, user, reason },
  })

const close = async (tx: Database, id: number, now: number): Promise<void> => {
  const change = { status: 'closed', closed_at: now, next_query_at: null }
  await orders.move(tx, id, ['pending'], change)
}

type ReversalEvent = Extract<PaymentEvent, { kind: 'refunded' | 'refunded-total' | 'disputed' }>

const applyReversal = async (
  app: App,
  tx: Database,
  order: orders.OrderRow,
  event: ReversalEvent,
  now: number,
): Promise<void> => {
  if (event.kind === 'refunded-total') {
    const refunded_total = Math.max(order.refunded_total, event.amount)
    await orders.update(tx, order.id, { refunded_total })
  } else {
    const { id: number, amount, state } = event
    const kind = event.kind === 'refunded' ? 'refund' : 'dispute'
    const row = { order_id: order.id, kind, number, state, created_at: now, next_query_at: null }
    // Only a refund that is known comes without its amount.
    const isNew = amount !== undefined && (await orders.insertReversal(tx, { ...row, amount }))
    if (!isNew && state !== 'open' && state !== 'pending') await orders.endReversal(tx, row, state)
  }
  await applyReversals(app, tx, order.id, now)
}

const detailOf = (event: PaymentEvent): string =>
  JSON.stringify({
    event: event.kind,
    ...('amount' in event && { amount: event.amount }),
    ...('currency' in event && { currency: event.currency }),
    ...('state' in event && { state: event.state }),
    ...(event.gatewayNo !== '' && { gateway_no: event.gatewayNo }),
  })
