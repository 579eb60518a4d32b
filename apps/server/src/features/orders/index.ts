import {
  contract,
  Fault,
  gatewayIcon,
  type OrderDetail,
  type PlacedOrder,
  roles,
} from '@hub/contract'
import { lockWithInviter } from '../../billing/invitations/rewards.ts'
import { creditOrder } from '../../billing/orders/apply-event.ts'
import { integrationOf } from '../../billing/orders/gateway.ts'
import { type PlacedPayment, placeOrder } from '../../billing/orders/place-order.ts'
import { askVendor } from '../../billing/orders/reconcile.ts'
import { recordEvent } from '../../billing/orders/record-event.ts'
import { refundOrder } from '../../billing/orders/refund.ts'
import { requireRecentProof, requireRight } from '../../core/accounts/money-rights.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { mapPage, required } from '../../core/crud.ts'
import {
  type Handlers,
  implement,
  type ReadAuditedRows,
  type SignedInUser,
} from '../../core/implement.ts'
import * as events from '../../db/queries/order-events.ts'
import * as rows from '../../db/queries/orders.ts'
import * as gateways from '../../db/queries/payment-gateways.ts'
import * as users from '../../db/queries/users.ts'
import { toEvent, toOrder, toOwnOrder, toPosting, toReversal } from './order.ts'

const handlers: Handlers<typeof contract.orders.endpoints> = {
  gateways: async app =>
    (await gateways.listEnabled(app.db)).map(row => ({
      ...row,
      icon: gatewayIcon(row),
      fixed_fee: row.fixed_fee / 100,
      percent_fee: row.percent_fee / 10_000,
    })),
  place: async (app, caller, input) => toPlaced(await placeOrder(app, caller, input)),
  status: async (app, { userId }, { trade_no }) => {
    const order = await getOwn(app, userId, trade_no)
    if (order.status !== 'credited') throw new Fault('order.not_credited')
    return order
  },
  own: (app, { userId }, { trade_no }) => getOwn(app, userId, trade_no),
  ownList: (app, { userId }, input) =>
    mapPage(rows.list(app.db, { ...input, user_id: userId }), toOwnOrder),
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), toOrder),
  get: (app, _caller, { id }) => getDetail(app, id),
  ask: async (app, { username }, { id }) => {
    await askVendor(app, required(await rows.find(app.db, id)), username)
    return getDetail(app, id)
  },
  credit: async (app, caller, { id, remark }) => {
    await requireOrderOfLower(app, caller, id)
    requireRight(app, caller, 'order_credits')
    await creditByHand(app, id, caller.username, remark)
    return getDetail(app, id)
  },
  refund: async (app, caller, { id, number, amount }) => {
    await requireOrderOfLower(app, caller, id)
    requireRecentProof(app, caller)
    const minor = Math.round(amount * 100)
    if (Math.abs(minor - amount * 100) > 1e-6)
      throw new Fault('request.invalid', { hint: '`amount`: it has at most two decimals.' })
    await refundOrder(app, id, { number, amount: minor, actor: caller.username })
    return getDetail(app, id)
  },
}

const auditedOrders: ReadAuditedRows = async (app, _caller, { ids: [id] }) => {
  const row = id === undefined ? undefined : await rows.findListed(app.db, id)
  return row ? { [row.id]: toOrder(row) } : {}
}

export const orders = implement(contract.orders, handlers, auditedOrders)

const toPlaced = ({ tradeNo, instruction }: PlacedPayment): PlacedOrder => {
  const { kind, url } = instruction
  if (kind === 'qr') return { trade_no: tradeNo, type: 2, data: { url } }
  if (kind === 'redirect') return { trade_no: tradeNo, type: 1, data: { url } }
  const { method, fields } = instruction
  return { trade_no: tradeNo, type: 1, data: { url, method, params: fields } }
}

const getOwn = async (app: App, userId: number, tradeNo: string) =>
  toOwnOrder(required(await rows.findOwn(app.db, userId, tradeNo)))

/** An administrator moves no money to or from the own account, a peer's or a superior's. */
const requireOrderOfLower = async (app: App, caller: SignedInUser, id: number) => {
  if (caller.role >= roles.root) return
  const { user_id } = required(await rows.find(app.db, id))
  const owner = await users.find(app.db, user_id)
  if (owner && owner.role >= caller.role) throw new Fault('user.rank')
}

const getDetail = async (app: App, id: number): Promise<OrderDetail> => {
  const order = required(await rows.findListed(app.db, id))
  const lastNotice = await events.findLatest(app.db, id, 'notice')
  const lastQuery = await events.findLatest(app.db, id, 'query')
  return {
    order: toOrder(order),
    can_refund: integrationOf(order.gateway_type ?? '').canRefund,
    last_notice: lastNotice ? toEvent(lastNotice) : null,
    last_query: lastQuery ? toEvent(lastQuery) : null,
    events: (await events.listOf(app.db, id)).map(toEvent),
    reversals: (await rows.listReversals(app.db, id)).map(toReversal),
    postings: (await rows.listPostings(app.db, order)).map(toPosting),
  }
}

/** An administrator decides that an order is paid. The guard is the one of a notice, so both together credit once. */
const creditByHand = (app: App, id: number, username: string, remark: string): Promise<void> =>
  app.db.transaction().execute(async tx => {
    await lockWithInviter(tx, required(await rows.find(tx, id)).user_id)
    const order = required(await rows.lock(tx, id))
    if (
      order.credited_at !== null ||
      !['pending', 'paid', 'closed', 'review'].includes(order.status)
    )
      throw new Fault('order.not_creditable')
    const event = { kind: 'manual' as const, source: username, outcome: 'accepted', detail: remark }
    await recordEvent(app, tx, order, event)
    await creditOrder(app, tx, order, '', nowSeconds(app))
  })
