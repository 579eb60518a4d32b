import { randomBytes } from 'node:crypto'
import { Fault, priceTopUp, topUpProblem } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import type { SignedInUser } from '../../core/implement.ts'
import { siteAddress } from '../../core/site/address.ts'
import * as orders from '../../db/queries/orders.ts'
import * as gateways from '../../db/queries/payment-gateways.ts'
import * as users from '../../db/queries/users.ts'
import type { CreatedPayment } from '../../integrations/payments/payment-gateway.ts'
import { notifyUrlOf, type OpenGateway, openGateway } from './gateway.ts'
import { firstQueryAt, toPaymentOrder } from './reconcile.ts'
import { recordEvent } from './record-event.ts'

const expirySeconds = 7200
const ordersMax = 30
const ordersSeconds = 3600

export type PlacedPayment = { tradeNo: string; instruction: CreatedPayment['instruction'] }

/**
 * Makes an order and asks the vendor for the way to pay it. The order is committed before, so that a notice always finds
 * it. The price is computed here only; nothing of it comes from the browser.
 */
export const placeOrder = async (
  app: App,
  caller: SignedInUser,
  { uuid, amount }: { uuid: string; amount: number },
): Promise<PlacedPayment> => {
  const problem = topUpProblem(amount, app.settings().payment.PaymentMinAmount)
  if (problem) throw new Fault('order.amount', { hint: hintOf(app, problem) })
  const attempts = await app.state.count(`orders:${caller.userId}`, ordersSeconds, ordersMax)
  if (!attempts.ok)
    throw new Fault('rate.orders', { retryAfterSeconds: attempts.retryAfterSeconds })
  const row = await gateways.findByUuid(app.db, uuid)
  if (!row || row.enable === 0 || row.deleted_at !== null) throw new Fault('payment.unavailable')
  // A payment that no notice can confirm is not begun.
  if (notifyUrlOf(app, row) === '') throw new Fault('payment.unavailable')
  if (pointsFor(app, amount) < 1)
    throw new Fault('order.no_points', {
      hint: `\`amount\`: ${amount} USD at \`QuotaPerUnit\` ${app.settings().site.QuotaPerUnit}.`,
    })
  const gateway = openGateway(app, row)
  const order = await insertOrder(app, caller, gateway, amount)
  const created = await create(app, caller, gateway, order)
  return { tradeNo: order.trade_no, instruction: created.instruction }
}

const pointsFor = (app: App, amount: number): number =>
  amount * Math.trunc(app.settings().site.QuotaPerUnit)

const hintOf = (app: App, problem: string): string =>
  problem === 'below_minimum'
    ? `The smallest amount is ${app.settings().payment.PaymentMinAmount} USD.`
    : `\`amount\`: ${problem}.`

const insertOrder = async (
  app: App,
  { userId, ip }: SignedInUser,
  { row, integration }: OpenGateway,
  amount: number,
): Promise<orders.OrderRow> => {
  const now = nowSeconds(app)
  const { payment } = app.settings()
  const terms = {
    discounts: JSON.parse(payment.RechargeDiscount || '{}') as Record<string, number>,
    exchangeRate: payment.PaymentUSDRate,
    currency: row.currency,
    fixedFee: row.fixed_fee / 100,
    percentFee: row.percent_fee / 10_000,
  }
  const price = priceTopUp(amount, terms)
  const undiscounted = priceTopUp(amount, { ...terms, discounts: {} })
  const id = await orders.insert(app.db, {
    user_id: userId,
    gateway_id: row.id,
    trade_no: integration.prefix + base32(randomBytes(16)),
    gateway_no: '',
    reference: '',
    amount,
    pay_amount: price.charge,
    currency: price.currency,
    points: pointsFor(app, amount),
    fee: price.feeCents,
    discount: undiscounted.charge - price.charge,
    discount_factor: String(price.discount),
    exchange_rate: String(price.exchangeRate),
    status: 'pending',
    review_reason: '',
    refunded_total: 0,
    taken_back: 0,
    take_backs: 0,
    source_ip: ip,
    created_at: now,
    expires_at: now + expirySeconds,
    paid_at: null,
    credited_at: null,
    closed_at: null,
    next_query_at: firstQueryAt(now),
    queries: 0,
  })
  return (await orders.find(app.db, id))!
}

/** A failure is stored with the order, which stays: the vendor may have it, and reconciliation closes it. */
const create = async (
  app: App,
  { userId, ip }: SignedInUser,
  { row, integration, context }: OpenGateway,
  order: orders.OrderRow,
): Promise<CreatedPayment> => {
  const { SystemName } = app.settings().site
  const user = await users.find(app.db, userId)
  try {
    const created = await integration.create(context, {
      ...toPaymentOrder(order),
      title: `${SystemName} $${order.amount}`,
      notifyUrl: notifyUrlOf(app, row),
      returnUrl: new URL(
        `/panel/topup?trade_no=${order.trade_no}`,
        siteAddress(app) ?? row.notify_domain,
      ).href,
      payer: { userId, email: user?.email ?? '', ip },
    })
    await reportSuccess(app, { service: 'payment', id: row.id })
    if (created.reference) await orders.update(app.db, order.id, { reference: created.reference })
    return created
  } catch (error) {
    await reportFailure(app, { service: 'payment', id: row.id, name: row.name }, error)
    const outcome = error instanceof Fault ? error.code : 'server.failed'
    const detail = error instanceof Fault ? error.message : ''
    await recordEvent(app, app.db, order, { kind: 'create', source: '', outcome, detail })
    throw error
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 without padding, in lower case: letters and digits only, which every vendor accepts. */
const base32 = (bytes: Buffer): string => {
  const bits = BigInt(`0x${bytes.toString('hex')}`) << 2n
  return Array.from(
    { length: 26 },
    (_, n) => alphabet[Number((bits >> BigInt(125 - 5 * n)) & 31n)],
  ).join('')
}
