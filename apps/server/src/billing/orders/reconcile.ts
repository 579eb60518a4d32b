import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import * as orders from '../../db/queries/orders.ts'
import type {
  ClosedPayment,
  PaymentOrder,
  QueriedPayment,
} from '../../integrations/payments/payment-gateway.ts'
import { applyEvent } from './apply-event.ts'
import { gatewayOf } from './gateway.ts'
import { recordEvent } from './record-event.ts'

type QueriedState = QueriedPayment['state'] | 'failed'

export const toPaymentOrder = (order: orders.OrderRow): PaymentOrder => ({
  tradeNo: order.trade_no,
  amount: order.pay_amount,
  currency: order.currency,
  createdAt: order.created_at,
  expiresAt: order.expires_at,
  reference: order.reference,
  gatewayNo: order.gateway_no,
})

/**
 * Asks the vendor for an order and applies the answer. The query is stored, also when it failed. Never rejects for a
 * failure of the vendor.
 */
export const askVendor = async (
  app: App,
  order: orders.OrderRow,
  source: string,
): Promise<QueriedState> => {
  const queried = await attempt(app, order, 'query', source, async () => {
    const { integration, context } = await gatewayOf(app, order.gateway_id)
    const answer = await integration.query(context, toPaymentOrder(order))
    const foreign = answer.events.some(each => each.tradeNo !== order.trade_no)
    if (foreign) throw new Fault('payment.refused', { hint: 'The answer names another order.' })
    return answer
  })
  if (!queried) return 'failed'
  await recordEvent(app, app.db, order, {
    kind: 'query',
    source,
    outcome: queried.state,
    detail: '',
  })
  for (const event of queried.events)
    await applyEvent(app, order.gateway_id, event, { kind: 'query', source })
  return queried.state
}

/** Closes an unpaid order at the vendor. Undefined when the vendor did not answer. */
export const closeAtVendor = async (
  app: App,
  order: orders.OrderRow,
): Promise<ClosedPayment | undefined> => {
  const closed = await attempt(app, order, 'close', '', async () => {
    const { integration, context } = await gatewayOf(app, order.gateway_id)
    return { result: await integration.close(context, toPaymentOrder(order)) }
  })
  if (!closed) return undefined
  const { result } = closed
  await recordEvent(app, app.db, order, { kind: 'close', source: '', outcome: result, detail: '' })
  return result
}

/** Runs a call to the vendor. A failure is stored as an exchange, and undefined returned. */
const attempt = async <T>(
  app: App,
  order: orders.OrderRow,
  kind: 'query' | 'close',
  source: string,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  const service = { service: 'payment', id: order.gateway_id } as const
  try {
    const result = await work()
    await reportSuccess(app, service)
    return result
  } catch (error) {
    await reportFailure(app, service, error)
    if (!(error instanceof Fault)) app.log.error({ err: error, order: order.id }, 'a query failed')
    const code = error instanceof Fault ? error.code : 'server.failed'
    const detail = error instanceof Fault ? error.message : ''
    await recordEvent(app, app.db, order, { kind, source, outcome: code, detail })
    return undefined
  }
}

/** Seconds after the creation at which the vendor is asked: a lost notice delays a credit by at most one step. */
const schedule: readonly number[] = [60, 180, 600, 1800, 7200, 43_200, 86_400]
const retrySeconds = 3600
const daySeconds = 86_400
/** A vendor that does not answer for so long is given up. A payment is still credited when its notice arrives. */
const unreachableDays = 7
/** Slow methods of payment take up to two weeks. */
const processingDays = 30

export const firstQueryAt = (createdAt: number): number => createdAt + schedule[0]!

/** The next time of the schedule. Undefined when it is over. */
export const stepAfter = (createdAt: number, now: number): number | undefined => {
  const step = schedule.find(each => createdAt + each > now)
  return step === undefined ? undefined : createdAt + step
}

const batch = 50

/** Asks the vendors for all orders whose turn it is. Safe on several nodes at once. */
export const reconcileOrders = async (app: App): Promise<void> => {
  for (const order of await orders.listDue(app.db, nowSeconds(app), batch)) {
    if (app.stopping()) return
    await reconcile(app, order)
  }
}

const reconcile = async (app: App, order: orders.OrderRow): Promise<void> => {
  const now = nowSeconds(app)
  const next = stepAfter(order.created_at, now)
  if (!(await orders.claimQuery(app.db, order, next ?? now + retrySeconds))) return
  const state = await askVendor(app, order, '')
  if (next !== undefined || state === 'paid') return
  await endOrder(app, order, state, now)
}

/** The schedule is over: the order is closed at the vendor first, so that nobody can pay an order that is closed here. */
const endOrder = async (
  app: App,
  order: orders.OrderRow,
  state: QueriedState,
  now: number,
): Promise<void> => {
  const ageDays = (now - order.created_at) / daySeconds
  if (state === 'processing' && ageDays < processingDays) {
    await orders.move(app.db, order.id, ['pending'], { next_query_at: now + daySeconds })
    return
  }
  const closed = state === 'failed' ? undefined : await closeAtVendor(app, order)
  if (closed === 'paid') {
    await askVendor(app, order, '')
    return
  }
  if (closed === undefined && ageDays < unreachableDays) return
  const change = { status: 'closed', closed_at: now, next_query_at: null }
  await orders.move(app.db, order.id, ['pending'], change)
}
