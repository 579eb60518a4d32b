import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../../harness/admin.ts'
import { auditLedger } from '../../harness/audit.ts'
import { arm, killedAt } from '../../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../../harness/crash/prepared-hub.ts'
import { accountOf, query } from '../../harness/ledger.ts'
import type { FakeVendor, Placed } from '../../harness/payments/fake-vendor.ts'
import { startStripe } from '../../harness/payments/stripe.ts'
import { startWxpay } from '../../harness/payments/wxpay/vendor.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'

// An order is credited once, and a refund returned once, wherever the gateway is killed between the vendor and the ledger.
// On PostgreSQL a second node continues while the first is dead.

const startingBalance = 1_000_000_000
const perDollar = 500_000
const dollars = 10
const stepsMax = 100
const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)
/** The soak kills at every step; elsewhere each run kills at every tenth, and begins at another one. */
const stride = process.env.HUB_RECOVERY_ROUNDS === undefined ? 10 : 1
const firstStep = 1 + (seed % Math.min(stride, 5))
const nowSeconds = () => Math.floor(Date.now() / 1000)

type Gateway = { uuid: string; vendor: FakeVendor }
/** The order that a vendor has after a way was cut, and whether the vendor or the administrator saw it succeed. */
type Attempt = { tradeNo: string | undefined; seen: boolean }
/** A way by which a payment moves points. `run` counts steps and may be cut at any of them. */
type Way = {
  title: string
  gateway: string
  /** Points that the way adds to the balance in the end. */
  points: number
  run(restored: RestoredHub, gateway: Gateway): Promise<Attempt>
  /** Follows by itself, at any node. */
  again: Act
}
type Act = (restored: RestoredHub, gateway: Gateway, tradeNo: string) => Promise<boolean>

const callAsRoot = <T>({ gateway }: RestoredHub, method: string, path: string, body?: object) =>
  callApi<T>(gateway, { bearer: gateway.accessToken }, method, path, body)

const orderId = async ({ where }: RestoredHub, tradeNo: string): Promise<number> =>
  Number((await query(where, `select id from orders where trade_no = '${tradeNo}'`))[0]!.id)

const notify = async ({ gateway }: RestoredHub, { uuid, vendor }: Gateway, tradeNo: string) => {
  const { method, headers, body } = vendor.paidNotice(tradeNo, nowSeconds())
  const address = `${gateway.url}/api/payment/notify/${uuid}`
  const response = await fetch(address, { method, headers, body })
  return vendor.isAcknowledged(response.status, await response.text())
}

const ask = async (restored: RestoredHub, _gateway: Gateway, tradeNo: string) => {
  const path = `/api/payment/order/${await orderId(restored, tradeNo)}/ask`
  return (await callAsRoot(restored, 'POST', path, {})).success
}

const refund = async (restored: RestoredHub, _gateway: Gateway, tradeNo: string) => {
  const id = await orderId(restored, tradeNo)
  const { data } = await callAsRoot<{ order: { order_amount: number } }>(
    restored,
    'GET',
    `/api/payment/order/${id}`,
  )
  const body = { number: `crash-${tradeNo.slice(-20)}`, amount: data.order.order_amount }
  return (await callAsRoot(restored, 'POST', `/api/payment/order/${id}/refund`, body)).success
}

const place = async ({ gateway, person }: RestoredHub, { uuid, vendor }: Gateway) => {
  const order = { uuid, amount: dollars }
  const session = { cookie: person.cookie }
  const placed = await callApi<Placed>(gateway, session, 'POST', '/api/user/order', order)
  expect(placed.message).toBe('')
  await vendor.open(placed.data)
  return placed.data.trade_no
}

/** Acts on an order that is paid at the vendor, or credited. */
const onPaidOrder =
  (act: Act, isCredited = false): Way['run'] =>
  async (restored, gateway) => {
    const tradeNo = await place(restored, gateway)
    gateway.vendor.pay(tradeNo)
    if (isCredited) expect(await notify(restored, gateway, tradeNo)).toBe(true)
    await arm(restored)
    return { tradeNo, seen: await act(restored, gateway, tradeNo).catch(() => false) }
  }

/** The vendor notifies before it answers the request that makes the order. */
const placeWithEarlyNotice: Way['run'] = async (restored, gateway) => {
  const { vendor } = gateway
  const known = new Set(vendor.orders.keys())
  const newOrder = () => [...vendor.orders.keys()].find(each => !known.has(each))
  let notified = Promise.resolve(false)
  vendor.beforeAnswer(async () => {
    const tradeNo = newOrder()!
    vendor.pay(tradeNo)
    notified = notify(restored, gateway, tradeNo).catch(() => false)
    await notified
  })
  await arm(restored)
  await place(restored, gateway).catch(() => undefined)
  // The vendor may still read the request of a gateway that is dead by now.
  await killedAt(restored)
  return { tradeNo: newOrder(), seen: await notified }
}

const ways: Way[] = [
  {
    title: 'R31 an order whose notice comes before the answer of the vendor',
    gateway: 'stripe',
    points: dollars * perDollar,
    run: placeWithEarlyNotice,
    again: notify,
  },
  {
    title: 'R32 a notice, whose key is downloaded first',
    gateway: 'wxpay',
    points: dollars * perDollar,
    run: onPaidOrder(notify),
    again: notify,
  },
  {
    title: 'R32 an answer to our question',
    gateway: 'stripe',
    points: dollars * perDollar,
    run: onPaidOrder(ask),
    again: ask,
  },
  {
    title: 'R35 a refund, which is sent again with its number',
    gateway: 'stripe',
    points: 0,
    run: onPaidOrder(refund, true),
    again: refund,
  },
]

describeEnginesInParallel(engine => {
  let prepared: Prepared
  const gateways: Record<string, Gateway> = {}
  beforeAll(async () => {
    const vendors = [await startWxpay('certificate'), await startStripe()]
    prepared = await prepare(engine, startingBalance, async ({ admin }) => {
      for (const vendor of vendors) {
        const { type, currency, config } = vendor
        const fields = { type, name: type, icon: type, currency, config }
        const { uuid } = await admin.api<{ uuid: string }>('POST', '/api/payment/', fields)
        gateways[type] = { uuid, vendor }
      }
    })
  })
  afterAll(async () => {
    await prepared?.close()
    for (const { vendor } of Object.values(gateways)) await vendor.close()
  })

  it.each(ways)('$title: killed at its steps, it happens once', async way => {
    const restored = await prepared.open()
    const { gateway, where, person } = restored
    const account = gateways[way.gateway]!
    const passed: string[] = []
    const expectOnce = async (step: unknown[], points: number, { tradeNo }: Attempt) => {
      const { balance } = await accountOf(where, person.id)
      expect([...step, balance]).toEqual([...step, points])
      const { paid = 0, refunded = 0 } = (tradeNo && account.vendor.orders.get(tradeNo)) || {}
      expect(refunded).toBe(way.points === 0 ? paid : 0)
    }
    try {
      await gateway.start({ FAILPOINT: `signal:${firstStep}` })
      const second = engine.name === 'PostgreSQL' ? await restored.startSecondNode() : undefined
      for (let step = firstStep; step <= stepsMax; step += stride) {
        const { balance: before } = await accountOf(where, person.id)
        const attempt = await way.run(restored, account)
        const name = await killedAt(restored)
        if (!name) await gateway.stop('SIGKILL')
        // An order that the vendor does not have cannot be paid.
        const after = before + (attempt.tradeNo ? way.points : 0)
        const again = async (node: typeof gateway) => {
          // An acknowledged notice is not sent again.
          if (!attempt.tradeNo || attempt.seen) return
          const isDone = await way.again({ ...restored, gateway: node }, account, attempt.tradeNo)
          expect([step, name, isDone]).toEqual([step, name, true])
        }
        if (second) {
          await again(second)
          await expectOnce([step, name], after, attempt)
        }
        await gateway.start({ FAILPOINT: `signal:${step + stride}` })
        await again(gateway)
        await expectOnce([step, name], after, attempt)
        await auditLedger(where)
        if (!name) {
          expect(attempt.seen).toBe(true)
          break
        }
        passed.push(name)
      }
      console.log(`R32 on ${engine.name}, ${way.title}: killed at ${passed.length} steps`)
      expect(passed.length).toBeGreaterThan(0)
    } finally {
      await restored.close()
    }
  })
})
