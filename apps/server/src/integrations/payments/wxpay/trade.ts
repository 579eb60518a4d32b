import { z } from 'zod'
import type {
  ClosedPayment,
  NewPayment,
  PaymentEvent,
  PaymentInstruction,
  PaymentOrder,
  QueriedPayment,
  RefundedPayment,
} from '../payment-gateway.ts'
import { callWxpay, refusal } from './client.ts'
import type { WxpayConfig, WxpayContext } from './config.ts'
import { unusable } from './request.ts'
import { mismatchOf, Transaction } from './transaction.ts'

const transactions = '/v3/pay/transactions'
const refunds = '/v3/refund/domestic/refunds'
const byTradeNo = ({ tradeNo }: PaymentOrder) => `${transactions}/out-trade-no/${tradeNo}`

/** https://pay.weixin.qq.com/doc/v3/merchant/4012791877 */
export const createNative = async (
  context: WxpayContext,
  order: NewPayment,
): Promise<PaymentInstruction> => {
  const answer = await callWxpay(context, {
    method: 'POST',
    path: `${transactions}/native`,
    content: {
      appid: context.config.app_id,
      mchid: context.config.mch_id,
      description: descriptionOf(order.title),
      out_trade_no: order.tradeNo,
      time_expire: `${new Date(order.expiresAt * 1000).toISOString().slice(0, 19)}+00:00`,
      notify_url: order.notifyUrl,
      amount: { total: order.amount, currency: order.currency },
    },
  })
  if (!answer.ok) throw refusal(answer)
  const { code_url } = answer.content
  if (typeof code_url !== 'string') throw unusable('WeChat Pay sent no `code_url`.')
  return { kind: 'qr', url: code_url }
}

const descriptionBytesMax = 127

/** WeChat Pay counts bytes. A character is never cut in two. */
const descriptionOf = (title: string): string => {
  let text = ''
  for (const char of title.replace(/\p{Cc}/gu, ' ')) {
    if (Buffer.byteLength(text + char) > descriptionBytesMax) break
    text += char
  }
  return text
}

const states: Readonly<Record<string, QueriedPayment['state']>> = {
  SUCCESS: 'paid',
  REFUND: 'paid',
  NOTPAY: 'unpaid',
  PAYERROR: 'unpaid',
  USERPAYING: 'processing',
  ACCEPT: 'processing',
  CLOSED: 'closed',
  REVOKED: 'closed',
}

const unknownOrderCodes = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS'])

export const queryTransaction = async (
  context: WxpayContext,
  order: PaymentOrder,
): Promise<QueriedPayment> => {
  const path = `${byTradeNo(order)}?mchid=${context.config.mch_id}`
  const answer = await callWxpay(context, { method: 'GET', path })
  if (!answer.ok && unknownOrderCodes.has(answer.code)) return { state: 'unpaid', events: [] }
  if (!answer.ok) throw refusal(answer)
  const read = Transaction.safeParse(answer.content)
  if (!read.success || read.data.out_trade_no !== order.tradeNo)
    throw unusable('The answer of WeChat Pay is about something else.')
  const state = states[read.data.trade_state] ?? 'unknown'
  return { state, events: eventsOf(context.config, read.data, state) }
}

const eventsOf = (
  config: WxpayConfig,
  transaction: Transaction,
  state: QueriedPayment['state'],
): PaymentEvent[] => {
  const { out_trade_no: tradeNo, transaction_id: gatewayNo, trade_state, amount } = transaction
  const base = { tradeNo, gatewayNo, ...mismatchOf(config, transaction) }
  if (state === 'closed') return [{ ...base, kind: 'closed' }]
  if (state !== 'paid') return []
  if (!amount) throw unusable('WeChat Pay names no amount of a paid order.')
  const paid = { ...base, kind: 'paid' as const, amount: amount.total, currency: amount.currency }
  // WeChat Pay does not answer how much of it was refunded, so that a person must decide.
  return [trade_state === 'REFUND' ? { ...paid, unverified: true } : paid]
}

export const closeTransaction = async (
  context: WxpayContext,
  order: PaymentOrder,
): Promise<ClosedPayment> => {
  const answer = await callWxpay(context, {
    method: 'POST',
    path: `${byTradeNo(order)}/close`,
    content: { mchid: context.config.mch_id },
  })
  if (answer.ok || unknownOrderCodes.has(answer.code)) return 'closed'
  // An error is not signed, so that only the query shows the state.
  const { state } = await queryTransaction(context, order)
  if (state === 'paid' || state === 'closed') return state
  throw refusal(answer)
}

const Refund = z.object({ out_trade_no: z.string(), out_refund_no: z.string(), status: z.string() })

/** The same number returns the refund that exists. https://pay.weixin.qq.com/doc/v3/merchant/4012791883 */
export const refundTransaction = async (
  context: WxpayContext,
  order: PaymentOrder,
  id: string,
  amount: number,
): Promise<RefundedPayment> => {
  const answer = await callWxpay(context, {
    method: 'POST',
    path: refunds,
    content: {
      out_trade_no: order.tradeNo,
      out_refund_no: id,
      notify_url: context.notifyUrl,
      amount: { refund: amount, total: order.amount, currency: order.currency },
    },
  })
  if (!answer.ok) throw refusal(answer)
  const refund = readRefund(answer.content, id)
  if (refund.tradeNo !== order.tradeNo)
    throw unusable('The answer of WeChat Pay is about something else.')
  return { state: refund.state }
}

/** https://pay.weixin.qq.com/doc/v3/merchant/4012791884 */
export const queryRefund = async (
  context: WxpayContext,
  { tradeNo }: PaymentOrder,
  id: string,
): Promise<RefundedPayment | undefined> => {
  const answer = await callWxpay(context, { method: 'GET', path: `${refunds}/${id}` })
  if (!answer.ok && unknownOrderCodes.has(answer.code)) return undefined
  if (!answer.ok) throw refusal(answer)
  const refund = readRefund(answer.content, id)
  // Numbers are unique at a merchant. One that another order used cannot be refunded here.
  return refund.tradeNo === tradeNo ? { state: refund.state } : undefined
}

const readRefund = (content: unknown, id: string): RefundedPayment & { tradeNo: string } => {
  const refund = Refund.safeParse(content)
  if (!refund.success || refund.data.out_refund_no !== id)
    throw unusable('The answer of WeChat Pay is about something else.')
  const { out_trade_no: tradeNo, status } = refund.data
  return { tradeNo, state: refundStates[status] ?? 'pending' }
}

/** After `ABNORMAL` the merchant sends the money in another way, so that the refund is not over. */
const refundStates: Readonly<Record<string, RefundedPayment['state']>> = {
  SUCCESS: 'done',
  CLOSED: 'failed',
  PROCESSING: 'pending',
  ABNORMAL: 'pending',
}
