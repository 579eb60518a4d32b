import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { auditLedger } from '../harness/audit.ts'
import { arm, killedAt } from '../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../harness/crash/prepared-hub.ts'
import { accountOf, query } from '../harness/ledger.ts'
import type { FakeVendor, Placed } from '../harness/payments/fake-vendor.ts'
import { startStripe } from '../harness/payments/stripe.ts'
import { startWxpay } from '../harness/payments/wxpay/vendor.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'

// An order is credited once, and a refund returned once, wherever the gateway is killed between the vendor and the ledger.

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
/** A way by which a payment moves points. `act` may be cut at any step, and `again` is what follows by itself. */
type Way = {
  title: string
  gateway: string
  /** Points that the way adds to the balance in the end. */
  points: number
  prepare?(restored: RestoredHub, gateway: Gateway, tradeNo: string): Promise<void>
  /** True: the vendor or the administrator saw it succeed. */
  act(restored: RestoredHub, gateway: Gateway, tradeNo: string): Promise<boolean>
  again(restored: RestoredHub, gateway: Gateway, tradeNo: string): Promise<boolean>
}

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

const credited = async (...input: Parameters<typeof notify>) => {
  expect(await notify(...input)).toBe(true)
}

const ways: Way[] = [
  {
    title: 'R32 a notice, whose key is downloaded first',
    gateway: 'wxpay',
    points: dollars * perDollar,
    act: notify,
    again: notify,
  },
  {
    title: 'R32 an answer to our question',
    gateway: 'stripe',
    points: dollars * perDollar,
    act: ask,
    again: ask,
  },
  {
    title: 'R35 a refund, which is sent again with its number',
    gateway: 'stripe',
    points: 0,
    prepare: credited,
    act: refund,
    again: refund,
  },
]

const place = async ({ gateway, person }: RestoredHub, { uuid, vendor }: Gateway) => {
  const order = { uuid, amount: dollars }
  const session = { cookie: person.cookie }
  const placed = await callApi<Placed>(gateway, session, 'POST', '/api/user/order', order)
  expect(placed.message).toBe('')
  await vendor.open(placed.data)
  vendor.pay(placed.data.trade_no)
  return placed.data.trade_no
}

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
    try {
      await gateway.start({ FAILPOINT: `signal:${firstStep}` })
      for (let step = firstStep; step <= stepsMax; step += stride) {
        const { balance: before } = await accountOf(where, person.id)
        const tradeNo = await place(restored, account)
        await way.prepare?.(restored, account, tradeNo)
        await arm(restored)
        const seen = await way.act(restored, account, tradeNo).catch(() => false)
        const name = await killedAt(restored)
        if (!name) await gateway.stop('SIGKILL')
        await gateway.start({ FAILPOINT: `signal:${step + stride}` })
        // An acknowledged notice is not sent again.
        if (!seen) expect(await way.again(restored, account, tradeNo)).toBe(true)
        const { balance: after } = await accountOf(where, person.id)
        expect([step, name, after - before]).toEqual([step, name, way.points])
        const { paid, refunded } = account.vendor.orders.get(tradeNo)!
        expect(refunded).toBe(way.points === 0 ? paid : 0)
        await auditLedger(where)
        if (!name) break
        passed.push(name)
      }
      console.log(`R32 on ${engine.name}, ${way.title}: killed at ${passed.length} steps`)
      expect(passed.length).toBeGreaterThan(0)
    } finally {
      await restored.close()
    }
  })
})
