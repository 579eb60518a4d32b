import { z } from 'zod'
import { parseObject } from '../parse-object.ts'
import type {
  NoticeAnswer,
  NoticeRefusal,
  PaymentEvent,
  RawNotice,
  ReadNotice,
} from '../payment-gateway.ts'
import type { WxpayConfig, WxpayContext } from './config.ts'
import { findPlatformKey } from './platform-keys.ts'
import { isAuthentic, isTimely, openResource, readSignatureHeaders } from './signature.ts'
import { mismatchOf, RefundNotice, Transaction } from './transaction.ts'

const Envelope = z.object({
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().default(''),
  }),
})

const contentType = 'application/json'
const accepted: NoticeAnswer = { status: 204, contentType, body: '' }
/** WeChat Pay sends the notice again, up to 15 times in 24 hours. */
const failure = (status: number, message: string): NoticeAnswer => ({
  status,
  contentType,
  body: JSON.stringify({ code: 'FAIL', message }),
})
const failed = failure(500, 'not stored')
const unknownOrder = failure(404, 'unknown order')

const refused = (reason: NoticeRefusal): ReadNotice => ({
  ok: false,
  reason,
  answer: failure(reason === 'malformed' ? 400 : 401, reason),
})

/**
 * Reads a notice. It is decrypted before its signature is verified: a forger does not have the key, and so cannot make
 * this server download certificates. https://pay.weixin.qq.com/doc/v3/merchant/4012791882
 */
export const readWxpayNotice = async (
  context: WxpayContext,
  notice: RawNotice,
): Promise<ReadNotice> => {
  const { config, now } = context
  const envelope = Envelope.safeParse(parseObject(notice.body.toString('utf8')))
  if (notice.method !== 'POST' || !envelope.success) return refused('malformed')
  const headers = readSignatureHeaders(name => notice.headers[name])
  if (!headers) return refused('signature')
  if (!isTimely(headers.timestamp, now)) return refused('expired')
  const { event_type, resource } = envelope.data
  const content = openResource(resource, config.mch_apiv3_key)
  if (content === undefined) return refused('signature')
  const key = await findPlatformKey(context, headers.serial)
  if (!key || !isAuthentic(headers, notice.body, key, now)) return refused('signature')
  const events = eventsOf(config, event_type, parseObject(content))
  return events ? { ok: true, events, accepted, failed, unknownOrder } : refused('malformed')
}

/** Undefined if fields are missing. Other events than payments and refunds are acknowledged. */
const eventsOf = (
  config: WxpayConfig,
  type: string,
  content: unknown,
): PaymentEvent[] | undefined => {
  if (type === 'TRANSACTION.SUCCESS') return paymentOf(config, content)
  return type.startsWith('REFUND.') ? refundOf(config, content) : []
}

const paymentOf = (config: WxpayConfig, content: unknown): PaymentEvent[] | undefined => {
  const { success, data } = Transaction.safeParse(content)
  if (!success || !data.amount) return undefined
  if (data.trade_state !== 'SUCCESS') return []
  const { total: amount, currency } = data.amount
  const { out_trade_no: tradeNo, transaction_id: gatewayNo } = data
  return [{ tradeNo, gatewayNo, ...mismatchOf(config, data), kind: 'paid', amount, currency }]
}

const refundStates = { SUCCESS: 'done', CLOSED: 'failed' } as const

const refundOf = (config: WxpayConfig, content: unknown): PaymentEvent[] | undefined => {
  const { success, data } = RefundNotice.safeParse(content)
  if (!success) return undefined
  const state = refundStates[data.refund_status as keyof typeof refundStates] ?? 'pending'
  const { out_trade_no: tradeNo, transaction_id: gatewayNo, out_refund_no: id } = data
  const { refund: amount } = data.amount
  return [{ tradeNo, gatewayNo, ...mismatchOf(config, data), kind: 'refunded', id, amount, state }]
}
