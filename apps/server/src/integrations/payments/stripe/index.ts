import { Fault } from '@hub/contract'
import type Stripe from 'stripe'
import { z } from 'zod'
import { OptionalAddress } from '../optional-address.ts'
import { parseObject } from '../parse-object.ts'
import type {
  ClosedPayment,
  CreatedPayment,
  GatewayContext,
  NewPayment,
  NoticeAnswer,
  PaymentGateway,
  PaymentOrder,
  QueriedPayment,
  RawNotice,
  ReadNotice,
  RefundedPayment,
} from '../payment-gateway.ts'
import { eventsOfNotice, paidEvent, refundStateOf } from './events.ts'

const Config = z.object({
  secret_key: z
    .string()
    .trim()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must begin with sk_ or rk_')
    .max(256)
    .meta({ secret: true }),
  webhook_secret: z
    .string()
    .trim()
    .regex(/^whsec_\w+$/, 'must begin with whsec_')
    .max(256)
    .meta({ secret: true }),
  /** Empty: Stripe's own address. */
  api_address: OptionalAddress,
})
type StripeConfig = z.output<typeof Config>
type Context = GatewayContext<StripeConfig>

const answer = (status: number): NoticeAnswer => ({ status, contentType: 'text/plain', body: '' })

/** Checkout Sessions, which Stripe shows on a page of its own. https://docs.stripe.com/api/checkout/sessions */
export const stripe: PaymentGateway<typeof Config> = {
  id: 'stripe',
  name: 'Stripe',
  prefix: 'st',
  currencies: ['USD', 'CNY'],
  canRefund: true,
  config: Config,
  check: () => ({}),
  destinations: ({ api_address }) => [api_address === '' ? '' : new URL(api_address).origin],
  create: (context, order) => call(context, () => createSession(context, order)),
  readNotice: (context, notice) => readNotice(context, notice),
  query: (context, order) => call(context, () => querySession(context, order)),
  close: (context, order) => call(context, () => expireSession(context, order)),
  refund: (context, order, id, amount) =>
    call(context, () => refundPayment(context, order, id, amount)),
  queryRefund: (context, order, id) => call(context, () => queryRefund(context, order, id)),
}

/** Loaded with the first order, since few installations use Stripe. */
const loadStripe = async () => (await import('stripe')).default

/** The library sends its requests through the context, which checks addresses and limits sizes. */
const httpClientOf = (library: typeof Stripe, fetch: Context['fetch']) =>
  library.createFetchHttpClient(async (input, init = {}) => {
    const response = await fetch({
      method: init.method === 'GET' ? 'GET' : 'POST',
      url: String(input),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && init.body !== '' && { body: init.body }),
    })
    return new Response(new Uint8Array(response.body), { status: response.status })
  })

const clientOf = async ({ config, fetch }: Context): Promise<Stripe> => {
  const library = await loadStripe()
  const url = config.api_address === '' ? undefined : new URL(config.api_address)
  return new library(config.secret_key, {
    httpClient: httpClientOf(library, fetch),
    maxNetworkRetries: 0,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  })
}

/** Turns the errors of the library into faults, without their objects, which contain the request, and without the key. */
const call = async <T>({ config }: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) throw error
    const { errors } = await loadStripe()
    const { statusCode = 0, message = 'no valid answer' } =
      error instanceof errors.StripeError ? error : {}
    // Only an answer of Stripe that declines is final. After all else the call may have happened.
    const isFinal = statusCode >= 400 && statusCode < 500 && statusCode !== 429
    const code = isFinal ? 'payment.refused' : 'payment.unreachable'
    const text = message.replaceAll(config.secret_key, '***')
    throw new Fault(code, { hint: `Stripe: ${text.slice(0, 200)}` })
  }
}

const createSession = async (context: Context, order: NewPayment): Promise<CreatedPayment> => {
  const metadata = { trade_no: order.tradeNo }
  const client = await clientOf(context)
  const session = await client.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order.tradeNo,
      metadata,
      payment_intent_data: { metadata },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: order.currency.toLowerCase(),
            unit_amount: order.amount,
            product_data: { name: order.title },
          },
        },
      ],
      success_url: order.returnUrl,
      expires_at: order.expiresAt,
      ...(order.payer.email !== '' && { customer_email: order.payer.email }),
    },
    { idempotencyKey: order.tradeNo },
  )
  if (!session.url) throw new Fault('payment.refused', { hint: 'Stripe returned no address.' })
  return { instruction: { kind: 'redirect', url: session.url }, reference: session.id }
}

const readNotice = async (context: Context, { headers, body }: RawNotice): Promise<ReadNotice> => {
  const { config, now } = context
  const header = headers['stripe-signature']
  if (header === undefined) return { ok: false, reason: 'malformed', answer: answer(400) }
  const library = await loadStripe()
  let event: Stripe.Event
  try {
    // The library compares the timestamp with the clock that it is given, and tolerates five minutes.
    event = new library(config.secret_key).webhooks.constructEvent(
      body,
      header,
      config.webhook_secret,
      toleranceSeconds,
      undefined,
      now * 1000,
    )
  } catch {
    return { ok: false, reason: 'signature', answer: answer(400), ...claimedTradeNo(body) }
  }
  const events = await call(context, () => eventsOfNotice(event, id => findTradeNo(context, id)))
  if (!events) return { ok: false, reason: 'malformed', answer: answer(400) }
  // Other software may use the same account, so an order that we do not have is acknowledged.
  return { ok: true, events, accepted: answer(200), failed: answer(500), unknownOrder: answer(200) }
}

const toleranceSeconds = 300

/** Only for the order page, which shows that a notice was refused. */
const claimedTradeNo = (body: Buffer): { claimedTradeNo?: string } => {
  const { data } = parseObject(body.toString('utf8')) ?? {}
  const tradeNo = (data as { object?: { metadata?: { trade_no?: unknown } } } | undefined)?.object
    ?.metadata?.trade_no
  return typeof tradeNo === 'string' && tradeNo !== '' ? { claimedTradeNo: tradeNo } : {}
}

/** A dispute has no metadata of the payment, so the payment is read. */
const findTradeNo = async (
  context: Context,
  paymentIntent: string,
): Promise<string | undefined> => {
  const client = await clientOf(context)
  return (await client.paymentIntents.retrieve(paymentIntent)).metadata.trade_no
}

const querySession = async (context: Context, order: PaymentOrder): Promise<QueriedPayment> => {
  // Without the number of the session the payer never saw its address.
  if (order.reference === '') return { state: 'unknown', events: [] }
  const client = await clientOf(context)
  const session = await client.checkout.sessions.retrieve(order.reference)
  const paid = paidEvent(session)
  if (paid) return { state: 'paid', events: [paid] }
  if (session.status === 'expired') return { state: 'closed', events: [] }
  return { state: session.status === 'complete' ? 'processing' : 'unpaid', events: [] }
}

const expireSession = async (context: Context, order: PaymentOrder): Promise<ClosedPayment> => {
  if (order.reference === '') return 'closed'
  const { state } = await querySession(context, order)
  if (state === 'paid' || state === 'closed') return state
  const client = await clientOf(context)
  await client.checkout.sessions.expire(order.reference)
  return 'closed'
}

const refundPayment = async (
  context: Context,
  order: PaymentOrder,
  id: string,
  amount: number,
): Promise<RefundedPayment> => {
  const client = await clientOf(context)
  const refund = await client.refunds.create(
    {
      payment_intent: order.gatewayNo,
      amount,
      metadata: { trade_no: order.tradeNo, refund_no: id },
    },
    // Keys are unique in the account, our numbers in an order.
    { idempotencyKey: `refund-${order.tradeNo}-${id}` },
  )
  return toRefunded(refund)
}

/** Stripe forgets idempotency keys after a day, so that a refund is searched for by our number before it is repeated. */
const queryRefund = async (
  context: Context,
  { gatewayNo }: PaymentOrder,
  id: string,
): Promise<RefundedPayment | undefined> => {
  const client = await clientOf(context)
  const refunds = client.refunds.list({ payment_intent: gatewayNo, limit: 100 })
  for await (const refund of refunds)
    if (refund.metadata?.refund_no === id) return toRefunded(refund)
  return undefined
}

const toRefunded = ({ status, failure_reason }: Stripe.Refund): RefundedPayment => ({
  state: refundStateOf(status),
  ...(failure_reason && { reason: failure_reason }),
})
