import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import * as orders from '../../db/queries/orders.ts'
import type { RefundedPayment } from '../../integrations/payments/payment-gateway.ts'
import { applyEvent, recordEvent } from './apply-event.ts'
import { gatewayOf } from './gateway.ts'
import { toPaymentOrder } from './reconcile.ts'

type RefundRequest = { number: string; amount: number; actor: string }

/**
 * Returns money through the vendor and takes the points back. The refund is stored before the vendor is called; its number
 * is the vendor's idempotency key, so a repeated call continues the refund instead of making a second one.
 */
export const refundOrder = async (
  app: App,
  orderId: number,
  { number, amount, actor }: RefundRequest,
): Promise<void> => {
  const order = await reserveRefund(app, orderId, number, amount)
  if (!order) return
  const { integration, context } = await gatewayOf(app, order.gateway_id)
  const source = { kind: 'refund' as const, source: actor }
  const refunded: RefundedPayment = integration.canRefund
    ? await callVendor(app, order, actor, () =>
        integration.refund(context, toPaymentOrder(order), number, amount),
      )
    : { state: 'done' }
  const { trade_no: tradeNo, gateway_no: gatewayNo } = order
  const event = { kind: 'refunded' as const, tradeNo, gatewayNo, id: number, amount }
  await applyEvent(app, order.gateway_id, { ...event, state: refunded.state }, source)
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
    if (known) return known.state === 'pending' ? order : undefined
    const counted = refunds
      .filter(each => each.state !== 'failed')
      .reduce((total, each) => total + each.amount, 0)
    if (Math.max(counted, order.refunded_total) + amount > order.pay_amount)
      throw new Fault('order.refund_too_large')
    await orders.insertReversal(tx, {
      order_id: orderId,
      kind: 'refund',
      number,
      amount,
      state: 'pending',
      created_at: nowSeconds(app),
    })
    return order
  })

const callVendor = async (
  app: App,
  order: orders.OrderRow,
  source: string,
  call: () => Promise<RefundedPayment>,
): Promise<RefundedPayment> => {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code: outcome, message: detail } = error
    await recordEvent(app, app.db, order, { kind: 'refund', source, outcome, detail })
    // A refusal is final. Without an answer the refund may have happened, so it stays open for another attempt.
    if (outcome === 'payment.refused') return { state: 'failed', reason: detail }
    throw error
  }
}
