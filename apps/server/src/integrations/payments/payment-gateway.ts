import type { KeyObject } from 'node:crypto'
import type { z } from 'zod'
import type { Integration } from '../../core/define-integration.ts'

/** A request to the vendor. No redirect is followed; the answer may have at most 1 MiB. */
export type VendorRequest = {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}

export type VendorResponse = {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** The stored configuration of one account at a vendor, and the services that a call may use. */
export type GatewayContext<C> = {
  config: C
  /** Throws `payment.unreachable` without an answer. Any status is an answer. */
  fetch(request: VendorRequest): Promise<VendorResponse>
  /**
   * Public keys of the vendor that were downloaded for this account, by number. They are kept as long as the process
   * runs. Times are seconds since 1970.
   */
  vendorKeys: Map<string, { key: KeyObject; expiresAt: number }>
  /** The address at which the vendor notifies this gateway. */
  notifyUrl: string
  /** Seconds since 1970. */
  now: number
}

/** One order as a vendor needs it. All fields are fixed when the order is made. */
export type PaymentOrder = {
  tradeNo: string
  /** Minor units of the currency: cents, fen. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Seconds since 1970. */
  createdAt: number
  /** Seconds since 1970. The vendor should accept no payment later; one that it accepts is credited all the same. */
  expiresAt: number
  /** The `reference` that `create` returned; empty before. */
  reference: string
  /** The vendor's number of the payment; empty before it is known. */
  gatewayNo: string
}

export type NewPayment = PaymentOrder & {
  /** Shown to the payer. */
  title: string
  notifyUrl: string
  /** The payer's browser goes here after the payment. */
  returnUrl: string
  payer: { userId: number; email: string; ip: string }
}

/** The way to the payment: an address to open, an address to show as a QR code, or a form to submit. */
export type PaymentInstruction =
  | { kind: 'redirect'; url: string }
  | { kind: 'qr'; url: string }
  | { kind: 'form'; url: string; method: 'GET' | 'POST'; fields: Record<string, string> }

export type CreatedPayment = {
  instruction: PaymentInstruction
  /** The vendor's number of the created payment, if later calls need it. It is stored with the order. */
  reference?: string
}

/** A fact about one of our orders, verified as coming from the vendor. */
export type PaymentEvent = {
  tradeNo: string
  /** The vendor's number of the payment; empty if the event has none. */
  gatewayNo: string
  /** The event belongs to another merchant, seller or app than the configured one. The order goes to review. */
  mismatch?: 'merchant' | 'app'
} & (
  | {
      kind: 'paid'
      /** Minor units that the payer paid. */
      amount: number
      /** Undefined if the vendor's protocol has no currency. */
      currency?: string
      /** The answer is not authenticated, or the payment is refunded in part: the order goes to review. */
      unverified?: true
    }
  /** The vendor has closed the order unpaid. A later payment is credited all the same. */
  | { kind: 'closed' }
  /**
   * One refund. `id` is ours for a refund that we asked for. Without an amount, in minor units, the event ends the refund
   * of this id and makes none.
   */
  | { kind: 'refunded'; id: string; amount?: number; state: 'pending' | 'done' | 'failed' }
  /** Minor units of all refunds of the payment so far. */
  | { kind: 'refunded-total'; amount: number }
  | { kind: 'disputed'; id: string; amount: number; state: 'open' | 'won' | 'lost' }
)

/** A notification as it arrived. */
export type RawNotice = {
  method: string
  /** The raw query string without the question mark. */
  query: string
  /** Names in lower case. A header that came twice is absent. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** Exactly these bytes are sent to the vendor. */
export type NoticeAnswer = { status: number; contentType: string; body: string }

/** The reason why a notification was refused. It is shown on the order page. */
export type NoticeRefusal =
  | 'malformed'
  | 'signature'
  | 'expired'
  | 'merchant'
  | 'app'
  /** The gateway is not configured completely. */
  | 'configuration'

export type ReadNotice =
  | {
      ok: true
      /** Empty: an event that does not concern us. It is acknowledged. */
      events: PaymentEvent[]
      /** Sent after the commit. */
      accepted: NoticeAnswer
      /** Sent when we could not store the event, so that the vendor sends it again. */
      failed: NoticeAnswer
      /** Sent when an event names an order that this gateway never had. */
      unknownOrder: NoticeAnswer
    }
  | {
      ok: false
      reason: NoticeRefusal
      answer: NoticeAnswer
      /** The order that an unverified notification claims to be about, for the order page only. */
      claimedTradeNo?: string
    }

/** `processing`: the payer has acted and the money is on its way. */
export type QueriedPayment = {
  state: 'unpaid' | 'processing' | 'paid' | 'closed' | 'unknown'
  events: PaymentEvent[]
}

/** `paid`: the vendor refused to close because the order is paid. `unsupported`: the vendor's protocol has no close. */
export type ClosedPayment = 'closed' | 'paid' | 'unsupported'

export type RefundedPayment = { state: 'pending' | 'done' | 'failed'; reason?: string }

/**
 * A payment vendor. `id` is the `type` of One Hub. Secret fields of `config` are marked with `meta({ secret: true })`; all
 * fields are text. Every function throws `payment.refused` with the vendor's text when the vendor declines.
 */
export type PaymentGateway<C extends z.ZodObject = z.ZodObject> = Integration<C> & {
  /** Two or three lower-case letters that begin the trade numbers. */
  prefix: string
  currencies: readonly string[]
  /** False: money is returned in the vendor's own console, and a refund here only records it. */
  canRefund: boolean
  /**
   * Throws `payment.config` when a key cannot be read or a trial signature fails. Runs on every save. Returns what the
   * administrator must enter at the vendor, such as the public half of a key, by a name that the console translates.
   */
  check(config: z.output<C>): Record<string, string>
  /** The hosts that receive the secrets. When they change, the secrets must be entered again. */
  destinations(config: z.output<C>): string[]
  create(context: GatewayContext<z.output<C>>, order: NewPayment): Promise<CreatedPayment>
  readNotice(
    context: GatewayContext<z.output<C>>,
    notice: RawNotice,
  ): ReadNotice | Promise<ReadNotice>
  query(context: GatewayContext<z.output<C>>, order: PaymentOrder): Promise<QueriedPayment>
  close(context: GatewayContext<z.output<C>>, order: PaymentOrder): Promise<ClosedPayment>
  /** The same id never refunds twice. `amount` is in minor units. */
  refund(
    context: GatewayContext<z.output<C>>,
    order: PaymentOrder,
    id: string,
    amount: number,
  ): Promise<RefundedPayment>
  /** The state of a refund by its id. Undefined: the vendor has no such refund, so it may be asked for again. */
  queryRefund(
    context: GatewayContext<z.output<C>>,
    order: PaymentOrder,
    id: string,
  ): Promise<RefundedPayment | undefined>
}
