import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  cashierPage,
  errorPage,
  type FakeVendor,
  type NoticeChange,
  type SentNotice,
  startVendorServer,
  type VendorAnswer,
  type VendorOrder,
} from './fake-vendor.ts'

const secretKey = 'sk_test_51TestKeyOfTheTest'
const webhookSecret = 'whsec_TestSecretOfTheTest'
const otherKey = 'whsec_SecretOfAnotherEndpoint'

const refuse = (message: string, status = 400): VendorAnswer => ({
  status,
  body: JSON.stringify({ error: { type: 'invalid_request_error', message } }),
})
const answerWith = (object: object): VendorAnswer => ({ body: JSON.stringify(object) })

/** https://docs.stripe.com/webhooks#verify-manually */
const signatureOf = (body: string, at: number, secret: string) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

let events = 0
const eventOf = (type: string, object: object, at: number, secret = webhookSecret): SentNotice => {
  events += 1
  const id = `evt_${events}`
  const body = JSON.stringify({ id, object: 'event', created: at, type, data: { object } })
  const signature = signatureOf(body, at, secret)
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return { method: 'POST', query: '', headers, body }
}

const sessionOf = (
  order: VendorOrder,
  { amount, currency, merchant, tradeNo }: NoticeChange = {},
) => ({
  id: `cs_${order.number}`,
  object: 'checkout.session',
  url: null as string | null,
  client_reference_id: merchant ?? tradeNo ?? order.tradeNo,
  metadata: { trade_no: tradeNo ?? order.tradeNo },
  payment_status: order.paid > 0 ? 'paid' : 'unpaid',
  status: { waiting: 'open', paid: 'complete', closed: 'expired' }[order.state],
  amount_total: amount ?? order.amount,
  currency: currency ?? order.currency.toLowerCase(),
  payment_intent: order.paid > 0 ? `pi_${order.number}` : null,
})

/** Sessions, payment intents and refunds, with Stripe's rule for repeated idempotency keys. */
class StripeApi {
  readonly orders = new Map<string, VendorOrder>()
  /** The address of the payers' page. */
  origin = ''
  private readonly refunds = new Map<string, { payment_intent: string; content: object }>()
  readonly replays = new Map<string, { body: string; answer: VendorAnswer }>()

  /** The same key with the same parameters repeats the first answer; with others it is refused. */
  handle(request: IncomingMessage, body: string, url: URL): VendorAnswer {
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return refuse('Invalid API Key', 401)
    const key = String(request.headers['idempotency-key'] ?? '')
    const known = this.replays.get(key)
    if (known) return known.body === body ? known.answer : refuse('Keys need the same parameters')
    const answer = this.route(request.method ?? '', url, new URLSearchParams(body))
    if (key !== '') this.replays.set(key, { body, answer })
    return answer
  }

  private route(
    method: string,
    { pathname, searchParams: search }: URL,
    fields: URLSearchParams,
  ): VendorAnswer {
    const [, , resource = '', id = '', action = ''] = pathname.replace('checkout/', '').split('/')
    if (method === 'POST' && resource === 'sessions' && id === '') return this.create(fields)
    if (method === 'POST' && resource === 'refunds') return this.refund(fields)
    if (resource === 'refunds') return this.listRefunds(search.get('payment_intent') ?? '')
    const order = this.find(id)
    if (!order) return refuse('No such object', 404)
    if (resource === 'payment_intents')
      return answerWith({ id, object: 'payment_intent', metadata: { trade_no: order.tradeNo } })
    if (action === 'expire' && order.state !== 'waiting')
      return refuse('Only open sessions can be expired.')
    if (action === 'expire') order.state = 'closed'
    return answerWith(sessionOf(order))
  }

  private find(id: string): VendorOrder | undefined {
    return [...this.orders.values()].find(({ number }) => id.slice(3) === number)
  }

  private create(fields: URLSearchParams): VendorAnswer {
    const tradeNo = fields.get('client_reference_id') ?? ''
    const amount = Number(fields.get('line_items[0][price_data][unit_amount]'))
    const currency = String(fields.get('line_items[0][price_data][currency]')).toUpperCase()
    if (fields.get('mode') !== 'payment' || !fields.get('success_url') || !(amount > 0))
      return refuse('missing parameter')
    const number = `test${this.orders.size + 1}`
    const open = { notifyUrl: '', state: 'waiting' as const, paid: 0, refunded: 0 }
    const order: VendorOrder = { tradeNo, amount, currency, number, ...open }
    this.orders.set(tradeNo, order)
    return answerWith({ ...sessionOf(order), url: `${this.origin}/c/pay/cs_${number}` })
  }

  private refund(fields: URLSearchParams): VendorAnswer {
    const order = this.find(fields.get('payment_intent') ?? '')
    const amount = Number(fields.get('amount'))
    if (!order || order.refunded + amount > order.paid) return refuse('amount too large')
    order.refunded += amount
    const payment_intent = fields.get('payment_intent')!
    const metadata = {
      trade_no: fields.get('metadata[trade_no]'),
      refund_no: fields.get('metadata[refund_no]'),
    }
    const id = `re_${this.refunds.size + 1}`
    const content = { id, object: 'refund', amount, payment_intent, metadata, status: 'succeeded' }
    this.refunds.set(id, { payment_intent, content })
    return answerWith(content)
  }

  private listRefunds(paymentIntent: string): VendorAnswer {
    const data = [...this.refunds.values()]
      .filter(each => each.payment_intent === paymentIntent)
      .map(each => each.content)
    return answerWith({ object: 'list', url: '/v1/refunds', has_more: false, data })
  }
}

/** Stripe's Checkout: keys, idempotent requests, and events signed with the secret of the endpoint. */
export const startStripe = async (): Promise<FakeVendor> => {
  const api = new StripeApi()
  const { orders } = api
  const vendor: FakeVendor = {
    type: 'stripe',
    currency: 'USD',
    config: {},
    otherConfig: {},
    otherKey,
    orders,
    showsErrorPage: false,
    requests: () => server.requests(),
    loseAnswer: () => server.loseAnswer(),
    beforeAnswer: action => server.beforeAnswer(action),
    noticeFacts: ['merchant', 'currency'],
    // https://docs.stripe.com/webhooks#replay-attacks
    noticeAgeMaxSeconds: 300,
    open: async () => {},
    pay: tradeNo => {
      const order = orders.get(tradeNo)!
      return Object.assign(order, { state: 'paid', paid: order.amount })
    },
    paidNotice: (tradeNo, at, change = {}) => {
      const session = sessionOf(orders.get(tradeNo)!, change)
      return eventOf('checkout.session.completed', session, change.at ?? at, change.key)
    },
    refundNotice: (tradeNo, amount, at) => {
      const order = orders.get(tradeNo)!
      order.refunded += amount
      const { number, refunded: amount_refunded } = order
      const metadata = { trade_no: tradeNo }
      const charge = { object: 'charge', payment_intent: `pi_${number}`, amount_refunded, metadata }
      return eventOf('charge.refunded', charge, at)
    },
    ownRefundNotice: (tradeNo, refund_no, at, { amount, key } = {}) => {
      const { number, refunded } = orders.get(tradeNo)!
      const metadata = { trade_no: tradeNo, refund_no }
      const refund = { object: 'refund', payment_intent: `pi_${number}`, metadata }
      const content = { ...refund, amount: amount ?? refunded, status: 'succeeded' }
      return eventOf('refund.updated', content, at, key)
    },
    forgetKeys: () => api.replays.clear(),
    disputeNotice: (tradeNo, status, at) => {
      const { number, amount } = orders.get(tradeNo)!
      const dispute = { id: `dp_${number}`, payment_intent: `pi_${number}`, amount, status }
      const type = status === 'needs_response' ? 'created' : 'closed'
      return eventOf(`charge.dispute.${type}`, dispute, at)
    },
    isAcknowledged: status => status >= 200 && status < 300,
    close: () => server.close(),
  }
  const server = await startVendorServer((request, body, url) =>
    vendor.showsErrorPage
      ? errorPage
      : url.pathname.startsWith('/c/pay/')
        ? cashierPage
        : api.handle(request, body, url),
  )
  api.origin = server.origin
  const keys = { secret_key: secretKey, webhook_secret: webhookSecret }
  vendor.config = { ...keys, api_address: server.origin }
  vendor.otherConfig = { ...vendor.config, webhook_secret: otherKey }
  return vendor
}
