import { Fault } from '@hub/contract'
import { z } from 'zod'
import { toDecimalText, toMinorUnits } from '../amounts.ts'
import { equalText, md5Signature } from '../md5-signature.ts'
import type {
  GatewayContext,
  NoticeAnswer,
  PaymentEvent,
  PaymentGateway,
  PaymentOrder,
  QueriedPayment,
  RawNotice,
  ReadNotice,
} from '../payment-gateway.ts'
import { readJson, textFields } from '../read-json.ts'
import { isPrivateConnection, VendorAddress } from '../vendor-address.ts'

const Config = z.object({
  pay_domain: VendorAddress,
  partner_id: z.string().trim().min(1).max(64),
  key: z.string().trim().min(1).max(256).meta({ secret: true }),
  /** Empty: the payer chooses on the page of the vendor. */
  pay_type: z.enum(['', 'alipay', 'wxpay', 'qqpay', 'bank', 'jdpay', 'paypal', 'usdt']).default(''),
})
type EpayConfig = z.output<typeof Config>
type Fields = Readonly<Record<string, string>>

const unsigned = ['sign', 'sign_type']
const sign = (fields: Fields, key: string) => md5Signature(fields, key, unsigned)

const text = (body: string): NoticeAnswer => ({ status: 200, contentType: 'text/plain', body })
const [success, fail] = [text('success'), text('fail')]

/**
 * The Epay protocol, which many vendors and bridges offer. A notice is a GET query or a form; both are accepted, because
 * panels differ. Its query sends the key in the address, so that address is never logged.
 */
export const epay: PaymentGateway<typeof Config> = {
  id: 'epay',
  name: 'Epay',
  prefix: 'ep',
  currencies: ['CNY', 'USD'],
  canRefund: false,
  config: Config,
  check: () => ({}),
  destinations: ({ pay_domain }) => [new URL(pay_domain).origin],

  create: async ({ config }, order) => {
    const fields = {
      pid: config.partner_id,
      ...(config.pay_type !== '' && { type: config.pay_type }),
      out_trade_no: order.tradeNo,
      notify_url: order.notifyUrl,
      return_url: order.returnUrl,
      name: order.title,
      money: toDecimalText(order.amount),
      device: 'pc',
    }
    return {
      instruction: {
        kind: 'form',
        url: `${config.pay_domain}/submit.php`,
        method: 'POST',
        fields: { ...fields, sign: sign(fields, config.key), sign_type: 'MD5' },
      },
    }
  },

  readNotice: ({ config }, notice) => readNotice(config, notice),
  query: (context, order) => queryOrder(context, order),
  close: async () => 'unsupported',
  refund: async () => {
    throw new Fault('payment.refused', { hint: 'Epay has no refunds.' })
  },
  queryRefund: async () => undefined,
}

const readNotice = (config: EpayConfig, notice: RawNotice): ReadNotice => {
  const fields = readFields(notice)
  if (!fields) return { ok: false, reason: 'malformed', answer: fail }
  const tradeNo = fields.out_trade_no ?? ''
  const refuse = (reason: 'malformed' | 'signature' | 'merchant'): ReadNotice => ({
    ok: false,
    reason,
    answer: fail,
    ...(tradeNo !== '' && { claimedTradeNo: tradeNo }),
  })
  if ((fields.sign_type ?? 'MD5').toUpperCase() !== 'MD5') return refuse('signature')
  if (!equalText((fields.sign ?? '').toLowerCase(), sign(fields, config.key)))
    return refuse('signature')
  if (fields.pid === undefined || tradeNo === '') return refuse('malformed')
  const events = eventsOf(config, fields)
  if (!events) return refuse('malformed')
  return { ok: true, events, accepted: success, failed: fail, unknownOrder: fail }
}

/** Undefined for a notice in both places at once, and for a field that comes twice. */
const readFields = ({ method, query, body }: RawNotice): Fields | undefined => {
  if (method !== 'GET' && method !== 'POST') return undefined
  const form = body.toString('utf8')
  if (query !== '' && form !== '') return undefined
  const pairs = [...new URLSearchParams(form === '' ? query : form)]
  const fields = Object.fromEntries(pairs)
  return pairs.length > 0 && Object.keys(fields).length === pairs.length ? fields : undefined
}

const eventsOf = (config: EpayConfig, fields: Fields): PaymentEvent[] | undefined => {
  if (fields.trade_status !== 'TRADE_SUCCESS') return []
  const amount = toMinorUnits(fields.money ?? '')
  if (amount === undefined) return undefined
  return [
    {
      kind: 'paid',
      tradeNo: fields.out_trade_no ?? '',
      gatewayNo: fields.trade_no ?? '',
      amount,
      ...(fields.pid !== config.partner_id && { mismatch: 'merchant' }),
    },
  ]
}

/** The answer has no signature, so it counts only over a connection that nobody can change. */
const queryOrder = async (
  { config, fetch }: GatewayContext<EpayConfig>,
  { tradeNo }: PaymentOrder,
): Promise<QueriedPayment> => {
  const query = new URLSearchParams({
    act: 'order',
    pid: config.partner_id,
    key: config.key,
    out_trade_no: tradeNo,
  })
  const response = await fetch({ method: 'GET', url: `${config.pay_domain}/api.php?${query}` })
  const fields = textFields(readJson(response))
  if (fields.code !== '1') return { state: 'unknown', events: [] }
  if (fields.status !== '1') return { state: 'unpaid', events: [] }
  const amount = toMinorUnits(fields.money ?? '')
  if (fields.out_trade_no !== tradeNo || amount === undefined)
    throw new Fault('payment.refused', { hint: 'Epay answered about another order.' })
  const event: PaymentEvent = {
    kind: 'paid',
    tradeNo,
    gatewayNo: fields.trade_no ?? '',
    amount,
    ...((fields.pid ?? config.partner_id) !== config.partner_id && { mismatch: 'merchant' }),
    ...(!isPrivateConnection(config.pay_domain) && { unverified: true }),
  }
  return { state: 'paid', events: [event] }
}
