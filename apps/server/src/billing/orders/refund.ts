import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import * as orders from '../../db/queries/orders.ts'
import type { RefundedPayment } from '../../integrations/payments/payment-gateway.ts'
import { applyEvent } from './apply-event.ts'
import { gatewayOf } from './gateway.ts'
import { firstQueryAt, stepAfter, toPaymentOrder } from './reconcile.ts'
import { recordEvent } from './record-event.ts'

type RefundRequest = { number: string; amount: number; actor: string }
type Refund = Pick<orders.ReversalRow, 'number' | 'amount'>

/**
 * Returns money through the vendor and takes the points back. The refund is stored before the vendor is called; its number
 * is the vendor's idempotency key, so a repeated call continues the refund instead of making a second one.
 */
export const refundOrder = async (
  app: App,
  orderId: number,
  { number, amount, actor }: RefundRequest,
): Promise<void> => {
  const reserved = await reserveRefund(app, orderId, number, amount)
  if (!reserved) return
  const { order, isNew } = reserved
  const refunded = await attempt(app, order, { number, amount }, { source: actor, isNew })
  if (refunded.state === 'failed')
    throw new Fault('payment.refused', { ...(refunded.reason && { hint: refunded.reason }) })
}

/** Refuses more than was paid, counting refunds under way. Returns undefined for a refund that has ended already. */
const reserveRefund = (app: App, orderId: number, number: string, amount: number) =>
  app.db.transaction().execute(async tx => {
    const order = await orders.lock(tx, orderId)
    if (!order) throw new Fault('resource.missing')
    if (order.paid_at === null) throw new Fault('order.not_paid')
    const refunds = (await orders.listReversals(tx, orderId)).filter(each => each.kind === 'refund')
    const known = refunds.find(each => each.number === number)
    if (known && known.amount !== amount) throw new Fault('order.refund_differs')
    if (known) return known.state === 'pending' ? { order, isNew: false } : undefined
    const counted = refunds
      .filter(each => each.state !== 'failed')
      .reduce((total, each) => total + each.amount, 0)
    if (Math.max(counted, order.refunded_total) + amount > order.pay_amount)
      throw new Fault('order.refund_too_large')
    const now = nowSeconds(app)
    await orders.insertReversal(tx, {
      order_id: orderId,
      kind: 'refund',
      number,
      amount,
      state: 'pending',
      created_at: now,
      next_query_at: firstQueryAt(now),
    })
    return { order, isNew: true }
  })

/**
 * Asks the vendor and applies its answer. Without an answer the refund may have happened, so its points are taken back
 * and it stays open; then `payment.unreachable` is thrown.
 */
const attempt = async (
  app: App,
  order: orders.OrderRow,
  { number, amount }: Refund,
  { source, isNew }: { source: string; isNew: boolean },
): Promise<RefundedPayment> => {
  const { trade_no: tradeNo, gateway_no: gatewayNo } = order
  const event = { kind: 'refunded' as const, tradeNo, gatewayNo, id: number, amount }
  const apply = (state: RefundedPayment['state']) =>
    applyEvent(app, order.gateway_id, { ...event, state }, { kind: 'refund', source })
  const answer = await callVendor(app, order, { number, amount }, isNew).catch(faultOf)
  if (!(answer instanceof Fault)) {
    await apply(answer.state)
    return answer
  }
  const { code: outcome, message: detail } = answer
  await recordEvent(app, app.db, order, { kind: 'refund', source, outcome, detail })
  // A refusal is final.
  await apply(outcome === 'payment.refused' ? 'failed' : 'pending')
  throw answer
}

const faultOf = (error: unknown): Fault => {
  if (error instanceof Fault) return error
  throw error
}

/** A refund that was asked for before is only repeated if the vendor does not have it. */
const callVendor = async (
  app: App,
  order: orders.OrderRow,
  { number, amount }: Refund,
  isNew: boolean,
): Promise<RefundedPayment> => {
  const { integration, context } = await gatewayOf(app, order.gateway_id)
  if (!integration.canRefund) return { state: 'done' }
  const payment = toPaymentOrder(order)
  const known = isNew
    ? undefined
    : await integration.queryRefund(context, payment, number).catch(asUnreachable)
  return known ?? (await integration.refund(context, payment, number, amount))
}

/** A vendor that declines to answer a question has not declined the refund. */
const asUnreachable = (error: unknown): never => {
  if (!(error instanceof Fault) || error.code !== 'payment.refused') throw error
  throw new Fault('payment.unreachable', { hint: error.message })
}

const daySeconds = 86_400
/** Banks take up to two weeks. A refund that is still open then needs a person. */
const pendingDays = 30
const batch = 50

/** Asks the vendors for all refunds under way whose turn it is. Safe on several nodes at once. */
export const endPendingRefunds = async (app: App): Promise<void> => {
  for (const refund of await orders.listDueRefunds(app.db, nowSeconds(app), batch)) {
    if (app.stopping()) return
    await endRefund(app, refund)
  }
}

const endRefund = async (app: App, refund: orders.ReversalRow): Promise<void> => {
  const now = nowSeconds(app)
  const isOver = now - refund.created_at >= pendingDays * daySeconds
  const next = stepAfter(refund.created_at, now) ?? (isOver ? null : now + daySeconds)
  if (!(await orders.claimRefundQuery(app.db, refund, next))) return
  const order = await orders.find(app.db, refund.order_id)
  if (!order) return
  try {
    await attempt(app, order, refund, { source: '', isNew: false })
  } catch (error) {
    // A fault has been stored with the order, which shows it.
    if (!(error instanceof Fault))
      app.log.error({ err: error, order: order.id }, 'a refund could not be asked for')
  }
}
