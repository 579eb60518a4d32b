import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../addresses/keep-alive.ts'

/** The vendor's own record of an order. Amounts are minor units. */
export type VendorOrder = {
  tradeNo: string
  amount: number
  currency: string
  notifyUrl: string
  /** The vendor's number of the payment. */
  number: string
  state: 'waiting' | 'paid' | 'closed'
  paid: number
  refunded: number
}

/** A notice as it goes over the wire. */
export type SentNotice = {
  method: 'GET' | 'POST'
  query: string
  headers: Record<string, string>
  body: string
}

/** Deviations of a notice that is validly signed all the same, unless `key` is another one. */
export type NoticeChange = {
  amount?: number
  currency?: string
  /** Another merchant or seller; at Stripe other software of the same account. */
  merchant?: string
  /** Another app of the same merchant. */
  app?: string
  tradeNo?: string
  key?: string
  /** Seconds since 1970. */
  at?: number
}

/** The answer of `POST /api/user/order`. */
export type Placed = {
  trade_no: string
  type: 1 | 2
  data: { url: string; method?: string; params?: Record<string, string> }
}

/** A payment vendor that checks signatures as the real one does and keeps its own books. */
export type FakeVendor = {
  type: string
  currency: 'USD' | 'CNY'
  /** The configuration of a gateway that uses this vendor. */
  config: Record<string, string>
  /** A configuration of another account at the same vendor. */
  otherConfig: Record<string, string>
  /** The key that signs notices of the other account. */
  otherKey: string
  orders: Map<string, VendorOrder>
  /** Notices are encrypted, so that one with another key names no order. */
  sealsNotices?: true
  /** Answers every query with an HTML error page while it is true. */
  showsErrorPage: boolean
  /** Number of requests that the vendor's interface has answered. */
  requests(): number
  /** The answer of the next request gets lost, after the vendor has acted. */
  loseAnswer(): void
  /** Does something between the next request and its answer, when the vendor has acted. */
  beforeAnswer(action: () => Promise<void>): void
  /** Facts that the protocol's notices state besides order and amount. */
  noticeFacts: readonly ('merchant' | 'app' | 'currency')[]
  /** The age up to which the vendor's documents accept a notice. Absent if its notices state no signed time. */
  noticeAgeMaxSeconds?: number
  /** A day passes, after which the vendor no longer knows idempotency keys. */
  forgetKeys?(): void
  /** The payer opens the page or scans the code. */
  open(placed: Placed): Promise<void>
  /** The payer pays. No notice is sent. */
  pay(tradeNo: string): VendorOrder
  paidNotice(tradeNo: string, at: number, change?: NoticeChange): SentNotice
  /** The vendor returns money by itself; absent if its protocol has no notice for it. */
  refundNotice?(tradeNo: string, amount: number, at: number): SentNotice
  /** The end of a refund that we asked for. `amount` is another one than the vendor's books show. */
  ownRefundNotice?(
    tradeNo: string,
    number: string,
    at: number,
    change?: Pick<NoticeChange, 'amount' | 'key'>,
  ): SentNotice
  disputeNotice?(tradeNo: string, state: 'needs_response' | 'won' | 'lost', at: number): SentNotice
  /** True if the vendor stops sending a notice after this answer. */
  isAcknowledged(status: number, body: string): boolean
  close(): Promise<void>
}

export type VendorAnswer = { status?: number; headers?: Record<string, string>; body: string }
type Answer = (request: IncomingMessage, body: string, url: URL) => VendorAnswer

/** Starts the interface of a vendor on a free port of this machine. */
export const startVendorServer = async (answer: Answer) => {
  let requests = 0
  let isAnswerLost = false
  let action: (() => Promise<void>) | undefined
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', 'http://vendor.example')
    const {
      status = 200,
      headers = {},
      body,
    } = answer(request, Buffer.concat(chunks).toString(), url)
    const act = action
    action = undefined
    await act?.()
    if (isAnswerLost) {
      isAnswerLost = false
      request.socket.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
  const server = createServer(keepAlive, (request, response) => void handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    loseAnswer: () => {
      isAnswerLost = true
    },
    beforeAnswer: (next: () => Promise<void>) => {
      action = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export const errorPage: VendorAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html><body>502 Bad Gateway</body></html>',
}

/** The page on which a payer pays. */
export const cashierPage: VendorAnswer = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Cashier</title><h1>Cashier</h1>',
}

export const decimal = (minor: number): string => (minor / 100).toFixed(2)
