import type { OrderDetail } from '@hub/contract'
import { expect } from 'vitest'
import type {
  FakeVendor,
  Placed,
  SentNotice,
} from '../../../../test/harness/payments/fake-vendor.ts'
import { audit } from '../../src/auditor/audit.ts'
import type { TestApp, TestUser } from '../harness.ts'

/** A gateway of a hub that uses a fake vendor, and its two sides: the buyer and the vendor. */
export type PaymentsHub = {
  gateway: { id: number; uuid: string; notify_url: string }
  /** The buyer makes an order and opens the page of the vendor. */
  place(user: TestUser, amount?: number): Promise<string>
  /** The vendor sends a notice. Returns its view of the answer. */
  send(
    notice: SentNotice,
    uuid?: string,
  ): Promise<{ status: number; text: string; acknowledged: boolean }>
  order(tradeNo: string): Promise<{
    id: number
    status: string
    quota: number
    order_amount: number
    review_reason: string
    debt: number
    refunded_amount: number
  }>
  detail(tradeNo: string): Promise<OrderDetail>
  balance(user: TestUser): Promise<number>
  seconds(): number
  /** Lets time pass. */
  wait(seconds: number): void
}

export const openPayments = async (hub: TestApp, vendor: FakeVendor): Promise<PaymentsHub> => {
  const { body } = await hub.root.post('/api/payment/', {
    type: vendor.type,
    name: vendor.type,
    icon: vendor.type,
    currency: vendor.currency,
    config: vendor.config,
  })
  if (!body.success) throw new Error(JSON.stringify(body))
  const gateway = body.data as PaymentsHub['gateway']
  return {
    gateway,
    place: async (user, amount = 10) => {
      const placed = await user.post('/api/user/order', { uuid: gateway.uuid, amount })
      if (!placed.body.success) throw new Error(JSON.stringify(placed.body))
      await vendor.open(placed.body.data as Placed)
      return (placed.body.data as Placed).trade_no
    },
    send: async ({ method, query, headers, body: payload }, uuid = gateway.uuid) => {
      const url = `/api/payment/notify/${uuid}${query && `?${query}`}`
      const answer = await hub.fastify.inject({ method, url, headers, ...(payload && { payload }) })
      const { statusCode: status, body: text } = answer
      return { status, text, acknowledged: vendor.isAcknowledged(status, text) }
    },
    order: async tradeNo =>
      (await hub.root.get(`/api/payment/order?trade_no=${tradeNo}`)).body.data.data[0],
    detail: async tradeNo => {
      const listed = await hub.root.get(`/api/payment/order?trade_no=${tradeNo}`)
      return (await hub.root.get(`/api/payment/order/${listed.body.data.data[0].id}`)).body.data
    },
    balance: async user => (await hub.root.get(`/api/user/${user.id}`)).body.data.quota,
    seconds: () => Math.floor(hub.clock.now / 1000),
    wait: seconds => {
      hub.clock.now += seconds * 1000
    },
  }
}

export const expectCleanAudit = async (hub: TestApp): Promise<void> => {
  const report = await audit(hub.app.env, Math.floor(hub.clock.now / 1000))
  expect(report.results.filter(each => each.findings.length > 0)).toEqual([])
}
