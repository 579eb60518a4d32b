import { expect, it } from 'vitest'
import {
  describeVendors,
  type OrderTest,
  perDollar,
} from '../../../test/payments/describe-vendors.ts'
import { endPendingRefunds } from '../../billing/orders/refund.ts'

/** A credited order, with a way to refund it as an administrator. */
const refundableOrder = async ({ hub, payments, creditedOrder }: OrderTest) => {
  const tradeNo = await creditedOrder()
  const { id, order_amount: full } = await payments.order(tradeNo)
  const refund = (number: string, amount: number) =>
    hub.root.post(`/api/payment/order/${id}/refund`, {
      number: numberOf(tradeNo, number),
      amount,
    })
  const states = async () => (await payments.detail(tradeNo)).reversals.map(each => each.state)
  return { tradeNo, refund, states, full, half: Number((full / 2).toFixed(2)) }
}
/** Vendors require numbers that are unique at the merchant. */
const numberOf = (tradeNo: string, number: string) => `${tradeNo.slice(-20)}-${number}`

const refundTests = (get: () => OrderTest) => {
  it('R35 a refund takes back the points once, and at most the balance', async () => {
    const { hub, vendor, payments, user, now } = get()
    const { tradeNo, refund, full, half } = await refundableOrder(get())
    const before = await payments.balance(user)
    const answers = await Promise.all([1, 2, 3].map(() => refund('0001', half)))
    expect(answers.map(each => each.status)).toEqual([200, 200, 200])
    expect(await payments.balance(user)).toBe(before - 5 * perDollar)
    expect((await refund('0001', full)).body.code).toBe('order.refund_differs')
    expect((await refund('0002', full)).body.code).toBe('order.refund_too_large')
    const rest = (await payments.balance(user)) - 1000
    await hub.root.post(`/api/user/quota/${user.id}`, { quota: -rest, remark: 'spent' })
    expect((await refund('0003', half)).status).toBe(200)
    expect(await payments.balance(user)).toBe(0)
    expect(await payments.order(tradeNo)).toMatchObject({
      status: 'refunded',
      debt: 5 * perDollar - 1000,
      refunded_amount: full,
    })
    await payments.send(vendor.paidNotice(tradeNo, now()))
    expect(await payments.balance(user)).toBe(0)
  })

  it('R31 R35 refunds and disputes of the vendor come in any order and end in the same state', async () => {
    const { vendor, payments, user, now, paidOrder, creditedOrder } = get()
    const { refundNotice, disputeNotice } = vendor
    if (!refundNotice) return
    const before = await payments.balance(user)
    const early = await paidOrder()
    const { paid } = vendor.orders.get(early)!
    await payments.send(refundNotice(early, paid / 2, now()))
    await payments.send(vendor.paidNotice(early, now()))
    expect(await payments.balance(user)).toBe(before + 5 * perDollar)
    const refunded = await paidOrder()
    await payments.send(refundNotice(refunded, paid, now()))
    await payments.send(vendor.paidNotice(refunded, now()))
    expect((await payments.order(refunded)).status).toBe('refunded')
    expect(await payments.balance(user)).toBe(before + 5 * perDollar)
    if (!disputeNotice) return
    const disputed = await creditedOrder()
    const open = disputeNotice(disputed, 'needs_response', now())
    await payments.send(open)
    expect((await payments.order(disputed)).status).toBe('disputed')
    expect(await payments.balance(user)).toBe(before + 5 * perDollar)
    await payments.send(disputeNotice(disputed, 'won', now()))
    await payments.send(open)
    expect((await payments.order(disputed)).status).toBe('credited')
    expect(await payments.balance(user)).toBe(before + 15 * perDollar)
    // A dispute may be lost before anybody has heard of it.
    await payments.send(disputeNotice(await creditedOrder(), 'lost', now()))
    expect(await payments.balance(user)).toBe(before + 15 * perDollar)
  })
}

const pendingRefundTests = (get: () => OrderTest) => {
  it('R35 a refund whose answer was lost is asked for on schedule, and made once', async () => {
    const { hub, vendor, payments, user } = get()
    const { tradeNo, refund, states, half } = await refundableOrder(get())
    const before = await payments.balance(user)
    if (!(await payments.detail(tradeNo)).can_refund) {
      expect((await refund('0001', half)).status).toBe(200)
      return
    }
    vendor.loseAnswer()
    expect((await refund('0001', half)).status).toBe(502)
    // The vendor may have returned the money, so its points can no longer be spent.
    expect(await payments.balance(user)).toBe(before - 5 * perDollar)
    expect(await states()).toEqual(['pending'])
    vendor.forgetKeys?.()
    const requests = vendor.requests()
    payments.wait(59)
    await endPendingRefunds(hub.app)
    expect(vendor.requests()).toBe(requests)
    payments.wait(1)
    await endPendingRefunds(hub.app)
    // The hub's own job may have taken the refund just before.
    await expect.poll(states).toEqual(['done'])
    const { paid, refunded } = vendor.orders.get(tradeNo)!
    expect(refunded).toBe(paid / 2)
    expect(await payments.balance(user)).toBe(before - 5 * perDollar)
  })

  it('R35 a refund that the vendor never received is made when it can be reached again', async () => {
    const { hub, vendor, payments, now } = get()
    const { tradeNo, refund, states, half } = await refundableOrder(get())
    if (!(await payments.detail(tradeNo)).can_refund) return
    vendor.showsErrorPage = true
    expect((await refund('0001', half)).status).toBe(502)
    const times: number[] = []
    const start = now()
    for (let minute = 0; minute < 32; minute += 1) {
      payments.wait(60)
      const requests = vendor.requests()
      await endPendingRefunds(hub.app)
      if (vendor.requests() > requests) times.push(now() - start)
    }
    expect(times).toEqual([60, 180, 600, 1800])
    vendor.showsErrorPage = false
    // Some vendors accept a refund first and end it later.
    for (const seconds of [7200, 43_200]) {
      payments.wait(seconds)
      await endPendingRefunds(hub.app)
    }
    await expect.poll(states).toEqual(['done'])
    const { paid, refunded } = vendor.orders.get(tradeNo)!
    expect(refunded).toBe(paid / 2)
    const requests = vendor.requests()
    payments.wait(40 * 86_400)
    await endPendingRefunds(hub.app)
    expect(vendor.requests()).toBe(requests)
  })
}

const refundNoticeTests = (get: () => OrderTest) => {
  it('R35 S29 a notice ends a refund by its number, with the amount that we asked for', async () => {
    const { vendor, payments, user, now } = get()
    const { ownRefundNotice } = vendor
    if (!ownRefundNotice) return
    const { tradeNo, refund, states, half } = await refundableOrder(get())
    const before = await payments.balance(user)
    vendor.loseAnswer()
    expect((await refund('0001', half)).status).toBe(502)
    const forged = ownRefundNotice(tradeNo, numberOf(tradeNo, '0001'), now(), {
      key: vendor.otherKey,
    })
    expect((await payments.send(forged)).acknowledged).toBe(false)
    expect(await states()).toEqual(['pending'])
    if (vendor.type !== 'alipay') {
      const other = ownRefundNotice(tradeNo, numberOf(tradeNo, '0001'), now(), { amount: 1 })
      await payments.send(other)
      expect(await states()).toEqual(['pending'])
    }
    const notice = ownRefundNotice(tradeNo, numberOf(tradeNo, '0001'), now())
    for (let n = 0; n < 3; n += 1) await payments.send(notice)
    expect(await states()).toEqual(['done'])
    expect(await payments.balance(user)).toBe(before - 5 * perDollar)
    expect((await payments.detail(tradeNo)).reversals).toHaveLength(1)
  })
}

describeVendors('refunds and disputes', get => {
  refundTests(get)
  pendingRefundTests(get)
  refundNoticeTests(get)
})
