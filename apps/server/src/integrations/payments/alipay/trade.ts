import { Fault } from '@hub/contract'
import { toDecimalText, toMinorUnits } from '../amounts.ts'
import type {
  ClosedPayment,
  NewPayment,
  PaymentEvent,
  PaymentInstruction,
  PaymentOrder,
  QueriedPayment,
  RefundedPayment,
} from '../payment-gateway.ts'
import { type AlipayAnswer, callAlipay, chinaTime, isSuccess, pageUrl, refusal } from './client.ts'
import type { AlipayContext } from './config.ts'

const pages = {
  pagepay: { method: 'alipay.trade.page.pay', product_code: 'FAST_INSTANT_TRADE_PAY' },
  wappay: { method: 'alipay.trade.wap.pay', product_code: 'QUICK_WAP_WAY' },
}

export const createTrade = async (
  context: AlipayContext,
  order: NewPayment,
): Promise<PaymentInstruction> => {
  const content = {
    out_trade_no: order.tradeNo,
    total_amount: toDecimalText(order.amount),
    subject: subjectOf(order.title),
    time_expire: chinaTime(order.expiresAt),
  }
  const { notifyUrl, returnUrl } = order
  const { pay_type } = context.config
  if (pay_type !== 'facepay') {
    const { method, product_code } = pages[pay_type]
    const call = { method, content: { ...content, product_code }, notifyUrl, returnUrl }
    return { kind: 'redirect', url: pageUrl(context, call) }
  }
  const answer = await callAlipay(context, { method: 'alipay.trade.precreate', content, notifyUrl })
  if (!isSuccess(answer)) throw refusal(answer)
  requireOrder(answer, order)
  if (typeof answer.qr_code !== 'string') throw unusable()
  return { kind: 'qr', url: answer.qr_code }
}

/** Alipay refuses these characters in a subject, and more than 256 of any kind. */
const subjectOf = (title: string) => title.replace(/[/=&\p{Cc}]/gu, ' ').slice(0, 256)

const callTrade = (
  context: AlipayContext,
  action: string,
  { tradeNo }: PaymentOrder,
  more: Record<string, string> = {},
): Promise<AlipayAnswer> =>
  callAlipay(context, {
    method: `alipay.trade.${action}`,
    content: { out_trade_no: tradeNo, ...more },
  })

/** The signature does not say which request is answered, so that each answer must name the order. */
const requireOrder = (answer: AlipayAnswer, { tradeNo }: PaymentOrder): void => {
  if (answer.out_trade_no !== tradeNo) throw unusable()
}

const unusable = () =>
  new Fault('payment.unreachable', { hint: 'The answer of Alipay is about something else.' })

/** A trade begins when the payer scans the code or signs in on the page. Before, Alipay knows none. */
const isUnknown = ({ sub_code }: AlipayAnswer) => sub_code === 'ACQ.TRADE_NOT_EXIST'

export const queryTrade = async (
  context: AlipayContext,
  order: PaymentOrder,
): Promise<QueriedPayment> => {
  const answer = await callTrade(context, 'query', order)
  if (isUnknown(answer)) return { state: 'unpaid', events: [] }
  if (!isSuccess(answer)) throw refusal(answer)
  requireOrder(answer, order)
  const amount = toMinorUnits(String(answer.total_amount))
  if (amount === undefined) throw unusable()
  const base = { tradeNo: order.tradeNo, gatewayNo: String(answer.trade_no ?? '') }
  const paid: PaymentEvent = { ...base, kind: 'paid', amount, currency: 'CNY' }
  switch (answer.trade_status) {
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED':
      return { state: 'paid', events: [paid] }
    case 'TRADE_CLOSED':
      // A paid trade is closed when all of it is refunded.
      return answer.send_pay_date
        ? { state: 'paid', events: [paid, { ...base, kind: 'refunded-total', amount }] }
        : { state: 'closed', events: [{ ...base, kind: 'closed' }] }
    case 'WAIT_BUYER_PAY':
      return { state: 'unpaid', events: [] }
    default:
      return { state: 'unknown', events: [] }
  }
}

const wrongStatus = new Set(['ACQ.TRADE_STATUS_ERROR', 'ACQ.REASON_TRADE_STATUS_INVALID'])

export const closeTrade = async (
  context: AlipayContext,
  order: PaymentOrder,
): Promise<ClosedPayment> => {
  const answer = await callTrade(context, 'close', order)
  // The code of a trade that never began ends at `time_expire`.
  if (isSuccess(answer) || isUnknown(answer)) return 'closed'
  if (!wrongStatus.has(answer.sub_code ?? '')) throw refusal(answer)
  // Alipay refuses to close trades that are paid and trades that are closed, with one code for both.
  const { state } = await queryTrade(context, order)
  if (state === 'paid' || state === 'closed') return state
  throw refusal(answer)
}

export const refundTrade = async (
  context: AlipayContext,
  order: PaymentOrder,
  id: string,
  amount: number,
): Promise<RefundedPayment> => {
  const answer = await callTrade(context, 'refund', order, {
    out_request_no: id,
    refund_amount: toDecimalText(amount),
  })
  if (!isSuccess(answer)) throw refusal(answer)
  requireOrder(answer, order)
  if (answer.fund_change === 'Y') return { state: 'done' }
  // A repeated request changes no money, so that only the query shows the outcome of the first.
  return (await queryRefund(context, order, id)) ?? { state: 'pending' }
}

/**
 * Alipay names a refund in its answer when it succeeded only.
 * https://opendocs.alipay.com/open/8c776df6_alipay.trade.fastpay.refund.query
 */
export const queryRefund = async (
  context: AlipayContext,
  order: PaymentOrder,
  id: string,
): Promise<RefundedPayment | undefined> => {
  const answer = await callTrade(context, 'fastpay.refund.query', order, { out_request_no: id })
  if (!isSuccess(answer)) throw refusal(answer)
  requireOrder(answer, order)
  return answer.refund_status === 'REFUND_SUCCESS' ? { state: 'done' } : undefined
}
