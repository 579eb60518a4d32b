import { Fault } from '@hub/contract'
import { z } from 'zod'
import { toDecimalText, toMinorUnits } from '../amounts.ts'
import type {
  ClosedPayment,
  GatewayContext,
  NewPayment,
  NoticeAnswer,
  PaymentEvent,
  PaymentGateway,
  PaymentOrder,
  QueriedPayment,
  RawNotice,
  ReadNotice,
} from '../payment-gateway.ts'
import { readJson } from '../read-json.ts'
import { isPrivateConnection, VendorAddress } from '../vendor-address.ts'
import { isSignedBy, readSigned, signed } from './signature.ts'

const Config = z.object({
  pay_domain: VendorAddress,
  /** The token of the vendor's interface. */
  key: z.string().trim().min(1).max(256).meta({ secret: true }),
  /** The coin and its network, as the vendor names them. */
  trade_type: z
    .string()
    .trim()
    .regex(/^[a-z\d]+\.[a-z\d]+$/, 'must be a name such as usdt.trc20')
    .default('usdt.trc20'),
})
type BepusdtConfig = z.output<typeof Config>

const text = (status: number, body: string): NoticeAnswer => ({
  status,
  contentType: 'text/plain',
  body,
})
/**
 * Newer releases look at the status only, and older ones compare the whole body with `ok`.
 * https://github.com/v03413/BEpusdt app/task/notify/notify.go
 */
const [ok, fail] = [text(200, 'ok'), text(400, 'fail')]

/**
 * BEpusdt and Epusdt, servers for stable coins that the operator runs. Amounts are CNY: older releases know no other
 * currency and would take a dollar for a yuan.
 */
export const bepusdt: PaymentGateway<typeof Config> = {
  id: 'bepusdt',
  name: 'BEpusdt',
  prefix: 'bu',
  currencies: ['CNY'],
  canRefund: false,
  config: Config,
  check: () => ({}),
  destinations: ({ pay_domain }) => [new URL(pay_domain).origin],
  create: (context, order) => createOrder(context, order),
  readNotice: ({ config }, notice) => readNotice(config, notice),
  query: (context, order) => queryOrder(context, order),
  close: (context, order) => cancelOrder(context, order),
  refund: async () => {
    throw new Fault('payment.refused', { hint: 'Coins cannot be returned automatically.' })
  },
  queryRefund: async () => undefined,
}

/** An order is created once and never again: a second call would rebuild it with a new amount and expiry. */
const createOrder = async (
  { config, fetch, now }: GatewayContext<BepusdtConfig>,
  order: NewPayment,
) => {
  const body = signed(
    {
      order_id: order.tradeNo,
      amount: Number(toDecimalText(order.amount)),
      trade_type: config.trade_type,
      notify_url: order.notifyUrl,
      redirect_url: order.returnUrl,
      timeout: Math.max(60, order.expiresAt - now),
    },
    config.key,
  )
  const data = await call(config, fetch, 'create-transaction', body)
  const { payment_url, trade_id } = data
  if (typeof payment_url !== 'string' || typeof trade_id !== 'string')
    throw new Fault('payment.refused', { hint: 'BEpusdt returned no payment address.' })
  return { instruction: { kind: 'redirect' as const, url: payment_url }, reference: trade_id }
}

const call = async (
  { pay_domain }: BepusdtConfig,
  fetch: GatewayContext<BepusdtConfig>['fetch'],
  action: string,
  body: string,
): Promise<Record<string, unknown>> => {
  const response = await fetch({
    method: 'POST',
    url: `${pay_domain}/api/v1/order/${action}`,
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { status_code, message, data } = readJson(response)
  if (status_code !== 200 || typeof data !== 'object' || data === null)
    throw new Fault('payment.refused', { hint: `BEpusdt: ${String(message).slice(0, 200)}` })
  return data as Record<string, unknown>
}

const readNotice = (config: BepusdtConfig, { method, query, body }: RawNotice): ReadNotice => {
  const fields = method === 'POST' && query === '' ? readSigned(body.toString('utf8')) : undefined
  if (!fields) return { ok: false, reason: 'malformed', answer: fail }
  const { order_id, trade_id, status } = fields.values
  const claimed =
    typeof order_id === 'string' && order_id !== '' ? { claimedTradeNo: order_id } : {}
  if (!isSignedBy(fields, config.key))
    return { ok: false, reason: 'signature', answer: fail, ...claimed }
  const amount = toMinorUnits(String(fields.values.amount))
  if (typeof order_id !== 'string' || order_id === '' || amount === undefined)
    return { ok: false, reason: 'malformed', answer: fail, ...claimed }
  const paid: PaymentEvent = {
    kind: 'paid',
    tradeNo: order_id,
    gatewayNo: typeof trade_id === 'string' ? trade_id : '',
    amount,
    currency: 'CNY',
  }
  // Status 1 is a reminder that the vendor still waits, and 3 that it stopped waiting.
  const events = status === 2 ? [paid] : []
  return { ok: true, events, accepted: ok, failed: fail, unknownOrder: fail }
}

/** The answer has no signature and no amount. The vendor pays attention to the exact amount, so 2 means all of it. */
const queryOrder = async (
  { config, fetch }: GatewayContext<BepusdtConfig>,
  { tradeNo, reference, amount }: PaymentOrder,
): Promise<QueriedPayment> => {
  if (reference === '') return { state: 'unknown', events: [] }
  const url = `${config.pay_domain}/pay/check-status/${encodeURIComponent(reference)}`
  const { trade_id, status } = readJson(await fetch({ method: 'GET', url }))
  if (trade_id !== reference) return { state: 'unknown', events: [] }
  if (status !== 2) return { state: status === 1 ? 'unpaid' : 'closed', events: [] }
  const event: PaymentEvent = {
    kind: 'paid',
    tradeNo,
    gatewayNo: reference,
    amount,
    currency: 'CNY',
    ...(!isPrivateConnection(config.pay_domain) && { unverified: true }),
  }
  return { state: 'paid', events: [event] }
}

const cancelOrder = async (
  context: GatewayContext<BepusdtConfig>,
  order: PaymentOrder,
): Promise<ClosedPayment> => {
  const { config, fetch } = context
  if (order.reference === '') return 'closed'
  const { state } = await queryOrder(context, order)
  if (state === 'paid' || state === 'closed') return state
  const body = signed({ trade_id: order.reference }, config.key)
  await call(config, fetch, 'cancel-transaction', body)
  return 'closed'
}
