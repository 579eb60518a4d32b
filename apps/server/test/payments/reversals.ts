import { expect } from 'vitest'
import type { FakeVendor } from '../../../../test/harness/payments/fake-vendor.ts'
import { startStripe } from '../../../../test/harness/payments/stripe.ts'
import type { TestApp, TestUser } from '../harness.ts'
import { openPayments, type PaymentsHub } from './hub.ts'

// The hub and the vendor of the running test.
export let hub: TestApp
let vendor: FakeVendor
export let payments: PaymentsHub

export const groupOf = async ({ id }: TestUser): Promise<string> =>
  (await hub.root.get(`/api/user/${id}`)).body.data.group
export const pay = async (user: TestUser, dollars: number): Promise<string> => {
  const tradeNo = await payments.place(user, dollars)
  vendor.pay(tradeNo)
  await payments.send(vendor.paidNotice(tradeNo, payments.seconds()))
  return tradeNo
}
/** Returns a part of a payment, by the vendor's notice or by hand. */
export const refund = async (tradeNo: string, share: number, byHand = false): Promise<void> => {
  if (!byHand) {
    const { paid } = vendor.orders.get(tradeNo)!
    const notice = vendor.refundNotice!(tradeNo, Math.round(paid * share), payments.seconds())
    // Vendors repeat their notices.
    for (let n = 0; n < 3; n += 1) expect((await payments.send(notice)).acknowledged).toBe(true)
    return
  }
  const { id, order_amount } = await payments.order(tradeNo)
  const body = { number: `${tradeNo.slice(-20)}-hand`, amount: order_amount * share }
  expect((await hub.root.post(`/api/payment/order/${id}/refund`, body)).status).toBe(200)
}
export const dispute = (tradeNo: string, state: 'needs_response' | 'won' | 'lost') =>
  payments.send(vendor.disputeNotice!(tradeNo, state, payments.seconds()))
export const spendAll = async (user: TestUser): Promise<void> => {
  const quota = -(await payments.balance(user))
  await hub.root.post(`/api/user/quota/${user.id}`, { quota, remark: 'spent' })
}

/** A hub with Stripe, groups for 10 and for 50 dollars, and one of administrators. */
export const prepare = async (open: () => Promise<TestApp>): Promise<void> => {
  hub = await open()
  vendor = await startStripe()
  payments = await openPayments(hub, vendor)
  for (const [symbol, min, max] of [
    ['silver', 10, 50],
    ['gold', 50, 0],
  ] as const)
    await hub.root.post('/api/user_group/', { symbol, name: symbol, promotion: true, min, max })
  await hub.root.post('/api/user_group/', { symbol: 'partner', name: 'Partner' })
}
