import { expect, it } from 'vitest'
import { noticesOf, subscribe } from '../../../test/notices.ts'
import {
  describeVendors,
  type OrderTest,
  perDollar,
} from '../../../test/payments/describe-vendors.ts'
import { openPayments } from '../../../test/payments/hub.ts'
import { reconcileOrders } from '../../billing/orders/reconcile.ts'

const creditTests = (get: () => OrderTest) => {
  it('R30 a payment is credited once, however often it is notified', async () => {
    const { vendor, payments, user, now, paidOrder } = get()
    const before = await payments.balance(user)
    const tradeNo = await paidOrder()
    expect((await user.get(`/api/user/order/status?trade_no=${tradeNo}`)).status).toBe(409)
    const notice = vendor.paidNotice(tradeNo, now())
    const answers = await Promise.all(Array.from({ length: 100 }, () => payments.send(notice)))
    expect(answers.filter(each => !each.acknowledged)).toEqual([])
    expect(await payments.balance(user)).toBe(before + 10 * perDollar)
    expect((await user.get(`/api/user/order/status?trade_no=${tradeNo}`)).body.data).toMatchObject({
      status: 'credited',
      quota: 10 * perDollar,
    })
    payments.wait(30 * 86_400)
    const late = await payments.send(vendor.paidNotice(tradeNo, now()))
    expect(late.acknowledged).toBe(true)
    expect(await payments.balance(user)).toBe(before + 10 * perDollar)
  })

  it('R31 a notice that comes before the vendor has answered us is credited', async () => {
    const { vendor, payments, user, now } = get()
    const before = await payments.balance(user)
    const sent: { acknowledged: boolean }[] = []
    vendor.beforeAnswer(async () => {
      const [tradeNo] = [...vendor.orders.keys()].slice(-1)
      vendor.pay(tradeNo!)
      sent.push(await payments.send(vendor.paidNotice(tradeNo!, now())))
    })
    const tradeNo = await payments.place(user)
    expect(sent).toMatchObject([{ acknowledged: true }])
    expect((await payments.order(tradeNo)).status).toBe('credited')
    expect(await payments.balance(user)).toBe(before + 10 * perDollar)
  })
}

const reviewTests = (get: () => OrderTest) => {
  it('R33 a wrong amount goes to review and never to a balance', async () => {
    const { hub, vendor, payments, user, now, paidOrder } = get()
    const before = await payments.balance(user)
    const tradeNo = await paidOrder()
    const sent = await payments.send(vendor.paidNotice(tradeNo, now(), { amount: 1 }))
    expect(sent.acknowledged).toBe(true)
    expect(await payments.order(tradeNo)).toMatchObject({
      status: 'review',
      review_reason: 'amount',
    })
    expect(await payments.balance(user)).toBe(before)
    const { id } = await payments.order(tradeNo)
    const credited = await hub.root.post(`/api/payment/order/${id}/credit`, { remark: 'seen' })
    expect(credited.body.data.order.status).toBe('credited')
    expect(credited.body.data.events[0]).toMatchObject({ kind: 'manual', detail: 'seen' })
    expect((await hub.root.post(`/api/payment/order/${id}/credit`, { remark: 'x' })).status).toBe(
      409,
    )
    expect(await payments.balance(user)).toBe(before + 10 * perDollar)
  })

  it('R33 S29 another key, another gateway and an unknown order credit nothing', async () => {
    const { hub, vendor, payments, user, now, paidOrder } = get()
    const before = await payments.balance(user)
    const tradeNo = await paidOrder()
    const forged = await payments.send(vendor.paidNotice(tradeNo, now(), { key: vendor.otherKey }))
    expect(forged.acknowledged).toBe(false)
    const other = await openPayments(hub, { ...vendor, config: vendor.otherConfig })
    const foreign = vendor.paidNotice(tradeNo, now(), { key: vendor.otherKey })
    await payments.send(foreign, other.gateway.uuid)
    expect((await payments.order(tradeNo)).status).toBe('pending')
    const unknown = vendor.paidNotice(tradeNo, now(), { tradeNo: 'no-such-order' })
    const answer = await payments.send(unknown)
    // Vendors repeat it, so that an order which is not stored yet is found later. Stripe's accounts serve other shops too.
    expect(answer.acknowledged).toBe(vendor.type === 'stripe')
    expect(await payments.balance(user)).toBe(before)
    const { last_notice } = await payments.detail(tradeNo)
    const refusal = { kind: 'notice', outcome: 'signature' }
    if (vendor.sealsNotices) expect(last_notice).toBeNull()
    else expect(last_notice).toMatchObject(refusal)
  })

  it('R33 a late payment of a closed order is credited, also at a disabled gateway', async () => {
    const { hub, vendor, payments, user, now } = get()
    const before = await payments.balance(user)
    const tradeNo = await payments.place(user)
    payments.wait(86_400)
    await reconcileOrders(hub.app)
    // The hub's own job may have taken the order just before.
    await expect.poll(async () => (await payments.order(tradeNo)).status).toBe('closed')
    await hub.root.put('/api/payment/', { id: payments.gateway.id, enable: false })
    vendor.pay(tradeNo)
    expect((await payments.send(vendor.paidNotice(tradeNo, now()))).acknowledged).toBe(true)
    await hub.root.put('/api/payment/', { id: payments.gateway.id, enable: true })
    expect((await payments.order(tradeNo)).status).toBe('credited')
    expect(await payments.balance(user)).toBe(before + 10 * perDollar)
  })
}

const promotionTests = (get: () => OrderTest) => {
  it('a paid order moves its user to the group that their top-ups reach', async () => {
    const { hub, vendor, payments, now } = get()
    const group = { symbol: 'patron', name: 'Patron', promotion: true, min: 1_000 }
    const made = (await hub.root.post('/api/user_group/', group)).body.data
    const buyer = await hub.person()
    const tradeNo = await payments.place(buyer, 1_000)
    vendor.pay(tradeNo)
    await payments.send(vendor.paidNotice(tradeNo, now()))
    expect((await buyer.get('/api/user/self')).body.data).toMatchObject({
      group: 'patron',
      quota: 1_000 * perDollar,
    })
    await hub.root.put('/api/user_group/', { id: made.id, promotion: false })
    await hub.root.put('/api/user/', { id: buyer.id, group: 'default' })
    await hub.root.delete(`/api/user_group/${made.id}`)
  })
}

const noticeTests = (get: () => OrderTest) => {
  it('a paid order and one in review are notified once, to the administrators and the buyer', async () => {
    const { hub, vendor, payments, user, now, paidOrder } = get()
    const events = ['order.paid', 'order.review']
    await subscribe(hub.root, 'site', events)
    await subscribe(user, 'account', events)
    const paid = await paidOrder()
    const notice = vendor.paidNotice(paid, now())
    await Promise.all([payments.send(notice), payments.send(notice)])
    await payments.send(notice)
    const wrong = await paidOrder()
    const wrongNotice = vendor.paidNotice(wrong, now(), { amount: 1 })
    for (let n = 0; n < 2; n += 1) await payments.send(wrongNotice)
    for (const [client, owner] of [
      [hub.root, 'site'],
      [user, 'account'],
    ] as const) {
      expect(await noticesOf(client, owner, 'order.paid')).toEqual([[1, `Order ${paid} was paid`]])
      expect(await noticesOf(client, owner, 'order.review')).toEqual([
        [1, `Order ${wrong} needs a review`],
      ])
    }
  })
}

const reconciliationTests = (get: () => OrderTest) => {
  it('R34 a vendor that never notifies is asked on schedule, and the payment is credited', async () => {
    const { hub, vendor, payments, user, now } = get()
    const before = await payments.balance(user)
    const tradeNo = await payments.place(user)
    const times: number[] = []
    const start = now()
    for (let minute = 0; minute < 36; minute++) {
      const requests = vendor.requests()
      if (minute === 35) vendor.pay(tradeNo)
      await reconcileOrders(hub.app)
      if (vendor.requests() > requests) times.push(now() - start)
      payments.wait(60)
    }
    expect(times).toEqual([60, 180, 600, 1800])
    payments.wait(7200)
    await reconcileOrders(hub.app)
    expect((await payments.order(tradeNo)).status).toBe('credited')
    expect(await payments.balance(user)).toBe(before + 10 * perDollar)
    const requests = vendor.requests()
    payments.wait(90_000)
    await reconcileOrders(hub.app)
    expect(vendor.requests()).toBe(requests)
  })

  it('R34 an order that is paid between two questions is credited by the next one', async () => {
    const { hub, vendor, payments, user, now } = get()
    const before = await payments.balance(user)
    const schedule = [60, 180, 600, 1800, 7200, 43_200, 86_400]
    const orders: string[] = []
    for (const _ of schedule) orders.push(await payments.place(user, 1))
    const start = now()
    const statusOf = async (tradeNo: string) => (await payments.order(tradeNo)).status
    for (const [n, seconds] of schedule.entries()) {
      payments.wait(start + seconds - 1 - now())
      vendor.pay(orders[n]!)
      expect(await statusOf(orders[n]!)).toBe('pending')
      payments.wait(1)
      await reconcileOrders(hub.app)
      // The hub's own job may have taken the order just before.
      await expect.poll(() => statusOf(orders[n]!)).toBe('credited')
    }
    expect(await payments.balance(user)).toBe(before + schedule.length * perDollar)
  })

  it('an unpaid order is closed at the vendor before it is closed here', async () => {
    const { hub, payments, user } = get()
    const tradeNo = await payments.place(user)
    payments.wait(86_400)
    await reconcileOrders(hub.app)
    await expect.poll(async () => (await payments.order(tradeNo)).status).toBe('closed')
    const { events, order } = await payments.detail(tradeNo)
    expect(events.map((each: { kind: string }) => each.kind)).toEqual(['close', 'query'])
    expect(order.next_query_at).toBe(0)
  })

  it('an error page of the vendor changes nothing, and the order page shows it', async () => {
    const { hub, vendor, payments, paidOrder } = get()
    const tradeNo = await paidOrder()
    vendor.showsErrorPage = true
    payments.wait(60)
    await reconcileOrders(hub.app)
    vendor.showsErrorPage = false
    expect((await payments.detail(tradeNo)).last_query).toMatchObject({
      outcome: 'payment.unreachable',
    })
    expect((await payments.order(tradeNo)).status).toBe('pending')
    const { id } = await payments.order(tradeNo)
    const after = await hub.root.post(`/api/payment/order/${id}/ask`, {})
    expect(after.body.data.order.status).toBe('credited')
  })
}

describeVendors('orders', (get, isFirst) => {
  creditTests(get)
  reviewTests(get)
  // The vendor plays no part in what a credited order means for its user.
  if (isFirst) promotionTests(get)
  if (isFirst) noticeTests(get)
  reconciliationTests(get)
})
