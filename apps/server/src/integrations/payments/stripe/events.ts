import type Stripe from 'stripe'
import type { PaymentEvent } from '../payment-gateway.ts'

type FindTradeNo = (paymentIntent: string) => Promise<string | undefined>

/** Undefined if an event of a known type lacks a field. Empty for events that concern no order of ours. */
export const eventsOfNotice = async (
  event: Stripe.Event,
  findTradeNo: FindTradeNo,
): Promise<PaymentEvent[] | undefined> => {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const paid = paidEvent(event.data.object)
      return paid ? [paid] : []
    }
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed': {
      const tradeNo = event.data.object.metadata?.trade_no
      return tradeNo ? [{ kind: 'closed', tradeNo, gatewayNo: '' }] : []
    }
    case 'charge.refunded':
      return refundedTotalEvents(event.data.object)
    case 'refund.updated':
    case 'refund.failed':
      return refundEvents(event.data.object)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return await disputeEvents(event.data.object, findTradeNo)
    default:
      return []
  }
}

/** Undefined for a session that is not paid, or that other software made. */
export const paidEvent = (session: Stripe.Checkout.Session): PaymentEvent | undefined => {
  const tradeNo = session.metadata?.trade_no
  if (!tradeNo || session.payment_status !== 'paid') return undefined
  const { amount_total: amount, currency, payment_intent } = session
  if (amount === null || currency === null) return undefined
  return {
    kind: 'paid',
    tradeNo,
    gatewayNo: idOf(payment_intent),
    amount,
    currency: currency.toUpperCase(),
    // Both are set by us. A session in which they differ was made by other software.
    ...(session.client_reference_id !== tradeNo && { mismatch: 'merchant' as const }),
  }
}

/** The metadata of the payment intent is copied to its charge. */
const refundedTotalEvents = (charge: Stripe.Charge): PaymentEvent[] => {
  const tradeNo = charge.metadata.trade_no
  if (!tradeNo) return []
  const gatewayNo = idOf(charge.payment_intent)
  return [{ kind: 'refunded-total', tradeNo, gatewayNo, amount: charge.amount_refunded }]
}

/** Refunds that we asked for; those of the vendor's console are in the total of the charge. */
const refundEvents = ({
  metadata,
  payment_intent,
  amount,
  status,
}: Stripe.Refund): PaymentEvent[] => {
  const { trade_no: tradeNo, refund_no: id } = metadata ?? {}
  if (!tradeNo || !id) return []
  const state = refundStateOf(status)
  return [{ kind: 'refunded', tradeNo, gatewayNo: idOf(payment_intent), id, amount, state }]
}

export const refundStateOf = (status: string | null): 'pending' | 'done' | 'failed' => {
  if (status === 'succeeded') return 'done'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

const disputeEvents = async (
  dispute: Stripe.Dispute,
  findTradeNo: FindTradeNo,
): Promise<PaymentEvent[]> => {
  const state = disputeStates[dispute.status]
  const gatewayNo = idOf(dispute.payment_intent)
  if (!state || gatewayNo === '') return []
  const tradeNo = await findTradeNo(gatewayNo)
  if (!tradeNo) return []
  return [{ kind: 'disputed', tradeNo, gatewayNo, id: dispute.id, amount: dispute.amount, state }]
}

/** An inquiry (`warning_…`) moves no money. https://docs.stripe.com/api/disputes/object */
const disputeStates: Partial<Record<string, 'open' | 'won' | 'lost'>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
}

const idOf = (reference: string | { id: string } | null): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '')
