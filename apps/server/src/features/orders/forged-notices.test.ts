import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  FakeVendor,
  NoticeChange,
  SentNotice,
} from '../../../../../test/harness/payments/fake-vendor.ts'
import { fakeVendors } from '../../../../../test/harness/payments/index.ts'
import { noticeChanges } from '../../../../../test/harness/payments/notice-changes.ts'
import { onOneEngine, type TestApp, type TestUser } from '../../../test/harness.ts'
import { openPayments, type PaymentsHub } from '../../../test/payments/hub.ts'
import { handleNotice } from '../../billing/orders/notices.ts'

/** The soak sends 5,000. */
const changes = Number(process.env.HUB_FORGED_NOTICES ?? 200)
const perDollar = 500_000
let hub: TestApp
let user: TestUser
let vendor: FakeVendor
let payments: PaymentsHub

const otherFacts: Record<'merchant' | 'app' | 'currency', NoticeChange> = {
  merchant: { merchant: '9009' },
  app: { app: '2021000000009009' },
  currency: { currency: 'jpy' },
}

/** A form or a flat JSON object with one of its fields in front and once more at its end. */
const withRepeatedFields = ({ method, query, headers, body }: SentNotice): SentNotice[] => {
  if (body.startsWith('{'))
    return Object.entries(JSON.parse(body) as Record<string, unknown>)
      .filter(([, value]) => typeof value !== 'object')
      .flatMap(([name, value]) => [
        { method, query, headers, body: `{${JSON.stringify(name)}:1,${body.slice(1)}` },
        {
          method,
          query,
          headers,
          body: `${body.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`,
        },
      ])
  const form = body || query
  const repeated = form.split('&').flatMap(field => {
    const [name] = field.split('=')
    return [`${name}=1&${form}`, `${form}&${field}`]
  })
  return repeated.map(text => ({
    method,
    headers,
    query: body === '' ? text : query,
    body: body === '' ? body : text,
  }))
}

const now = () => payments.seconds()
const creditedOrders = async (): Promise<{ trade_no: string; points: number }[]> => {
  const orders = await hub.app.db
    .selectFrom('orders')
    .select(['id', 'trade_no'])
    .where('gateway_id', '=', payments.gateway.id)
    .execute()
  const posted = await hub.app.db
    .selectFrom('transfers')
    .select(['source', 'amount'])
    .where('kind', '=', 'order')
    .execute()
  return orders.flatMap(({ id, trade_no }) =>
    posted
      .filter(({ source }) => source === `order:${id}`)
      .map(({ amount }) => ({ trade_no, points: amount })),
  )
}

const forgedTests = () => {
  it('S29 changed notices credit nothing that the vendor was not paid', async () => {
    const before = await payments.balance(user)
    const paid = await payments.place(user, 3)
    const unpaid = [await payments.place(user, 5), await payments.place(user, 7)]
    const elsewhere = await payments.place(user, 11)
    vendor.pay(paid)
    const wrongKey = unpaid.map(each =>
      vendor.paidNotice(each, now(), {
        key: vendor.otherKey,
        amount: vendor.orders.get(each)?.amount,
      }),
    )
    const real = vendor.paidNotice(paid, now())
    const foreign = vendor.noticeFacts.map(fact =>
      vendor.paidNotice(elsewhere, now(), {
        ...otherFacts[fact],
        amount: vendor.orders.get(elsewhere)?.amount,
      }),
    )
    const stale = vendor.paidNotice(paid, now(), { at: now() - 30 * 86_400 })
    let n = 0
    const genuine = [real, real, stale, ...wrongKey, ...foreign]
    const repeats = Array.from({ length: 30 }, () => [stale, ...wrongKey, ...foreign]).flat()
    const all = [...noticeChanges(vendor.type, genuine, changes), ...repeats]
    for (const { method, query, headers, body } of all) {
      n += 1
      const notice = { method, query, headers, body: Buffer.from(body) }
      await handleNotice(hub.app, payments.gateway.uuid, notice, `198.51.100.${n % 250}`)
    }
    const credited = await creditedOrders()
    expect(credited.filter(each => each.trade_no !== paid)).toEqual([])
    for (const { points } of credited) expect(points).toBe(3 * perDollar)
    for (const each of unpaid) expect((await payments.order(each)).status).toBe('pending')
    await payments.send(vendor.paidNotice(paid, now()))
    expect(await payments.balance(user)).toBe(before + 3 * perDollar)
  }, 300_000)

  it('S29 a notice for an order of another merchant, app or currency goes to review', async () => {
    const before = await payments.balance(user)
    for (const fact of vendor.noticeFacts) {
      const tradeNo = await payments.place(user)
      vendor.pay(tradeNo)
      await payments.send(vendor.paidNotice(tradeNo, now(), otherFacts[fact]))
      const order = await payments.order(tradeNo)
      expect([fact, order.status, order.review_reason]).toEqual([fact, 'review', fact])
    }
    expect(await payments.balance(user)).toBe(before)
  })
}

const ruleTests = () => {
  it('S29 a notice is refused when it was signed more than five minutes ago', async () => {
    const { noticeAgeMaxSeconds: ageMax } = vendor
    if (ageMax === undefined) return
    const tradeNo = await payments.place(user)
    vendor.pay(tradeNo)
    for (const seconds of [-365 * 86_400, -30 * 86_400, -ageMax - 1]) {
      await payments.send(vendor.paidNotice(tradeNo, now(), { at: now() + seconds }))
      expect([seconds, (await payments.order(tradeNo)).status]).toEqual([seconds, 'pending'])
    }
    await payments.send(vendor.paidNotice(tradeNo, now(), { at: now() - ageMax }))
    expect((await payments.order(tradeNo)).status).toBe('credited')
  })

  it('S29 a notice that has a field twice is refused, whichever of the two the signature fits', async () => {
    const tradeNo = await payments.place(user)
    vendor.pay(tradeNo)
    const repeated = withRepeatedFields(vendor.paidNotice(tradeNo, now()))
    for (const notice of repeated) {
      await payments.send(notice)
      expect([notice, (await payments.order(tradeNo)).status]).toEqual([notice, 'pending'])
    }
  })

  it('S29 a notice whose number has a NUL is refused, and names no other order', async () => {
    const tradeNo = await payments.place(user)
    vendor.pay(tradeNo)
    const notice = vendor.paidNotice(tradeNo, now(), { tradeNo: `${tradeNo}\0` })
    const { method, query, headers, body } = notice
    const raw = { method, query, headers, body: Buffer.from(body) }
    const answer = await handleNotice(hub.app, payments.gateway.uuid, raw, '198.51.100.1')
    expect(vendor.isAcknowledged(answer.status, answer.body)).toBe(false)
    expect((await payments.order(tradeNo)).status).toBe('pending')
  })

  it('S35 a notice above 64 kB is cut off, and nothing of it is stored', async () => {
    const payload = Buffer.alloc(64 * 1024 + 1, 'a')
    const url = `/api/payment/notify/${payments.gateway.uuid}`
    const stored = () => hub.app.db.selectFrom('order_events').select('id').execute()
    const before = (await stored()).length
    const answer = await hub.fastify.inject({ method: 'POST', url, payload })
    expect(answer.statusCode).toBe(413)
    expect((await stored()).length).toBe(before)
    const small = await hub.fastify.inject({ method: 'POST', url, payload: 'a'.repeat(60_000) })
    expect(vendor.isAcknowledged(small.statusCode, small.body)).toBe(false)
  })
}

/** The database plays no part in what a notice means. */
onOneEngine('forged payment notices', open => {
  beforeAll(async () => {
    hub = await open()
  })
  for (const [name, start] of Object.entries(fakeVendors))
    describe(name, () => {
      beforeAll(async () => {
        // A person makes at most 30 orders an hour.
        user = await hub.person()
        vendor = await start()
        payments = await openPayments(hub, vendor)
      })
      afterAll(() => vendor.close())
      forgedTests()
      ruleTests()
    })
})
