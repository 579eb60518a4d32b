import type { KeyObject } from 'node:crypto'
import { toMinorUnits } from '../amounts.ts'
import type { NoticeAnswer, PaymentEvent, RawNotice, ReadNotice } from '../payment-gateway.ts'
import type { AlipayConfig } from './config.ts'
import { type AlipayParams, verifyNotice } from './signature.ts'

const text = (body: string): NoticeAnswer => ({ status: 200, contentType: 'text/plain', body })
const accepted = text('success')
/** Alipay sends the notice again, up to 8 times in 25 hours. */
const failed = text('failure')

/** Reads a notice: the form that Alipay posts. https://opendocs.alipay.com/open/203/105286 */
export const readAlipayNotice = (
  config: AlipayConfig,
  key: KeyObject,
  notice: RawNotice,
): ReadNotice => {
  const params = readForm(notice)
  if (!params) return { ok: false, reason: 'malformed', answer: failed }
  const claimed = { ...(params.out_trade_no && { claimedTradeNo: params.out_trade_no }) }
  if (!verifyNotice(params, key))
    return { ok: false, reason: 'signature', answer: failed, ...claimed }
  const events = eventsOf(config, params)
  if (!events) return { ok: false, reason: 'malformed', answer: failed, ...claimed }
  return { ok: true, events, accepted, failed, unknownOrder: failed }
}

/** Undefined for a body that is no form, and for one that has a parameter twice. */
const readForm = ({ method, headers, body }: RawNotice): AlipayParams | undefined => {
  const type = headers['content-type'] ?? ''
  if (method !== 'POST' || !/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined
  const list = [...new URLSearchParams(body.toString('utf8'))]
  const params = new Map(list)
  return params.size === list.length ? Object.fromEntries(params) : undefined
}

/** The facts that both a notice and the answer of a query state. Undefined if an amount cannot be read. */
const eventsOf = (config: AlipayConfig, params: AlipayParams): PaymentEvent[] | undefined => {
  const { out_trade_no: tradeNo, trade_no: gatewayNo = '', trade_status: status } = params
  if (!tradeNo || !status) return []
  const base = { tradeNo, gatewayNo, ...mismatchOf(config, params) }
  const refundedAmount = params.refund_fee ? toMinorUnits(params.refund_fee) : 0
  const amount = toMinorUnits(params.total_amount ?? '')
  if (refundedAmount === undefined || amount === undefined) return undefined
  const refunds = refundedAmount > 0 ? refundsOf(base, refundedAmount, params.out_biz_no) : []
  const paid: PaymentEvent = { ...base, kind: 'paid', amount, currency: 'CNY' }
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED') return [paid, ...refunds]
  // A trade that is refunded completely is closed too, and it was paid before.
  if (status === 'TRADE_CLOSED')
    return refunds.length > 0 ? [paid, ...refunds] : [{ ...base, kind: 'closed' }]
  return []
}

/** The amount is that of all refunds so far. `out_biz_no` is the number of the one that the notice is about. */
const refundsOf = (
  base: Pick<PaymentEvent, 'tradeNo' | 'gatewayNo' | 'mismatch'>,
  amount: number,
  id = '',
): PaymentEvent[] => [
  { ...base, kind: 'refunded-total', amount },
  ...(id === '' ? [] : [{ ...base, kind: 'refunded' as const, id, state: 'done' as const }]),
]

/** The signature shows that Alipay wrote the notice, not that it is about this application. */
const mismatchOf = (
  { app_id, seller_id }: AlipayConfig,
  params: AlipayParams,
): { mismatch?: 'merchant' | 'app' } => {
  if (params.app_id !== app_id) return { mismatch: 'app' }
  return seller_id !== '' && params.seller_id !== seller_id ? { mismatch: 'merchant' } : {}
}
