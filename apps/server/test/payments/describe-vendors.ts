import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest'
import type { FakeVendor } from '../../../../test/harness/payments/fake-vendor.ts'
import { fakeVendors } from '../../../../test/harness/payments/index.ts'
import { onBothEngines, type TestApp, type TestUser } from '../harness.ts'
import { expectCleanAudit, openPayments, type PaymentsHub } from './hub.ts'

/** Points of a dollar. */
export const perDollar = 500_000

/** Each test of orders has a hub, one vendor, and a buyer of its own. */
export type OrderTest = {
  hub: TestApp
  vendor: FakeVendor
  payments: PaymentsHub
  user: TestUser
  now(): number
  /** An order that is paid at the vendor and not notified. */
  paidOrder(amount?: number): Promise<string>
  creditedOrder(): Promise<string>
}

/** In CI, PostgreSQL takes its turn with one account of each vendor; the soak runs every account on both engines. */
const vendorsFor = (engine: 'SQLite' | 'PostgreSQL') => {
  const types = new Set<string>()
  return Object.entries(fakeVendors).filter(([name]) => {
    const type = name.split(' ')[0]!
    const isFirst = !types.has(type)
    types.add(type)
    return isFirst || engine === 'SQLite' || process.env.HUB_PAYMENT_VENDORS === 'all'
  })
}

/** Runs a suite with each vendor on both engines, and the auditor after it. `get` is called by its tests. */
export const describeVendors = (
  title: string,
  suite: (get: () => OrderTest, isFirst: boolean) => void,
): void =>
  onBothEngines(title, (open, engine) => {
    let hub: TestApp
    beforeAll(async () => {
      hub = await open()
    })
    for (const [n, [name, start]] of vendorsFor(engine).entries())
      describe(name, () => {
        let vendor: FakeVendor
        let payments: PaymentsHub
        let test: OrderTest
        beforeAll(async () => {
          vendor = await start()
          payments = await openPayments(hub, vendor)
        })
        // Sessions do not survive the time that the tests let pass.
        beforeEach(async () => {
          test = makeTest(hub, vendor, payments, await hub.person())
        })
        afterAll(() => vendor.close())
        suite(() => test, n === 0)
        it('the auditor finds nothing', () => expectCleanAudit(hub))
      })
  })

const makeTest = (
  hub: TestApp,
  vendor: FakeVendor,
  payments: PaymentsHub,
  user: TestUser,
): OrderTest => {
  const now = () => payments.seconds()
  const paidOrder = async (amount = 10) => {
    const tradeNo = await payments.place(user, amount)
    vendor.pay(tradeNo)
    return tradeNo
  }
  const creditedOrder = async () => {
    const tradeNo = await paidOrder()
    await payments.send(vendor.paidNotice(tradeNo, now()))
    return tradeNo
  }
  return { hub, vendor, payments, user, now, paidOrder, creditedOrder }
}
