import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { accountOf, query } from '../harness/ledger.ts'
import type {
  FakeVendor,
  Placed,
  SentNotice,
  VendorOrder,
} from '../harness/payments/fake-vendor.ts'
import { fakeVendors } from '../harness/payments/index.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// The books of the vendors and the ledger agree to the point, whatever arrives in whichever order, and whoever dies.

/** The soak sends 10,000. */
const eventsCount = Number(process.env.HUB_PAYMENT_EVENTS ?? 400)
const killsCount = Math.max(2, Math.floor(eventsCount / 500))
const ordersPerPerson = 25
const startPoints = 1_000_000_000
const perDollar = 500_000
const seed = process.env.HUB_SEED ?? String(Date.now() % 1_000_000)

let drawn = 0
const draw = (below: number): number => {
  drawn += 1
  return createHash('sha256').update(`${seed}:${drawn}`).digest().readUInt32BE(0) % below
}
const nowSeconds = () => Math.floor(Date.now() / 1000)

type Account = { vendor: FakeVendor; uuid: string }
type Delivery = { account: Account; tradeNo: string; make: () => SentNotice }
type Purchase = {
  account: Account
  tradeNo: string
  person: Person
  amount: number
  disputed: boolean
}

/** One run of random events against all nodes of a hub. */
class Storm {
  readonly purchases: Purchase[] = []
  private readonly queue: Delivery[] = []
  private readonly people: Person[] = []
  readonly hub: TestHub
  readonly accounts: Account[]

  constructor(hub: TestHub, accounts: Account[]) {
    this.hub = hub
    this.accounts = accounts
  }

  private node = () => this.hub.gateways[draw(this.hub.gateways.length)]!

  /** Places an order that is not paid. */
  async place(): Promise<Purchase> {
    if (this.purchases.length % ordersPerPerson === 0)
      this.people.push(await this.hub.admin.addPerson(startPoints))
    const person = this.people.at(-1)!
    const account = this.accounts[draw(this.accounts.length)]!
    const amount = 1 + draw(50)
    const session = { cookie: person.cookie }
    const body = { uuid: account.uuid, amount }
    const placed = await callApi<Placed>(this.node(), session, 'POST', '/api/user/order', body)
    expect([placed.status, placed.message]).toEqual([200, ''])
    const tradeNo = placed.data.trade_no
    await account.vendor.open(placed.data)
    const purchase = { account, tradeNo, person, amount, disputed: false }
    this.purchases.push(purchase)
    return purchase
  }

  async buy(): Promise<Purchase> {
    const purchase = await this.place()
    const { account, tradeNo } = purchase
    account.vendor.pay(tradeNo)
    // Some are never notified: only a query finds them.
    const copies = draw(4)
    for (let n = 0; n < copies; n += 1)
      this.queue.push({
        account,
        tradeNo,
        make: () => account.vendor.paidNotice(tradeNo, nowSeconds()),
      })
    return purchase
  }

  /** The vendor returns a part of a payment, or its payer disputes it. */
  reverse(): void {
    const purchase = this.purchases[draw(this.purchases.length)]
    const { refundNotice, disputeNotice } = purchase?.account.vendor ?? {}
    if (!purchase || !refundNotice) return
    const { account, tradeNo } = purchase
    const order = account.vendor.orders.get(tradeNo)!
    if ((draw(3) > 0 || !disputeNotice) && !purchase.disputed) {
      const part = 1 + draw(order.paid)
      if (order.refunded + part > order.paid) return
      const notice = refundNotice(tradeNo, part, nowSeconds())
      this.queue.push({ account, tradeNo, make: () => notice })
    } else if (disputeNotice && order.refunded === 0 && !purchase.disputed) {
      purchase.disputed = true
      for (const state of ['needs_response', draw(2) ? 'won' : 'lost'] as const) {
        if (state === 'lost') order.refunded = order.paid
        const notice = disputeNotice(tradeNo, state, nowSeconds())
        this.queue.push({ account, tradeNo, make: () => notice })
      }
    }
  }

  /** Sends up to eight waiting notices at once. One that is not acknowledged waits again, as vendors do. */
  async deliver(): Promise<void> {
    const sent = Array.from({ length: Math.min(8, this.queue.length) }, () => {
      const at = draw(this.queue.length)
      return this.queue.splice(at, 1)[0]!
    })
    await Promise.all(
      sent.map(async delivery => {
        if (!(await this.send(delivery))) this.queue.push(delivery)
      }),
    )
  }

  private send({ account: { uuid, vendor }, make }: Delivery): Promise<boolean> {
    return deliverTo(this.node().url, uuid, vendor, make()).catch(() => false)
  }

  /** Kills a node while notices are on their way, and starts it again. */
  async kill(): Promise<void> {
    const node = this.node()
    const delivering = this.deliver()
    await node.stop('SIGKILL')
    await delivering
    await node.start()
  }

  async drain(): Promise<void> {
    while (this.queue.length > 0) await this.deliver()
    await this.forEachOrder('pending', id => [`${id}/ask`, {}])
    await this.forEachOrder('paid', id => [`${id}/ask`, {}])
    // WeChat Pay does not answer how much of a payment was returned, so that a person looks and credits it.
    await this.forEachOrder('review', id => [`${id}/credit`, { remark: 'seen at the vendor' }])
  }

  private async forEachOrder(
    status: string,
    requestOf: (id: number) => [string, object],
  ): Promise<void> {
    for (let rows = 100; rows === 100; ) {
      const path = `/api/payment/order?status=${status}&size=100`
      const { data } = await this.hub.admin.api<{ data: { id: number }[] }>('GET', path)
      for (const { id } of data) {
        const [action, body] = requestOf(id)
        await this.hub.admin.api('POST', `/api/payment/order/${action}`, body)
      }
      rows = data.length
    }
  }
}

const earned = ({ account, tradeNo, amount }: Purchase): number => {
  const { paid, refunded } = account.vendor.orders.get(tradeNo) as VendorOrder
  const points = BigInt(amount * perDollar)
  return Number(points - (points * BigInt(refunded)) / BigInt(paid))
}

const addGateway = (hub: TestHub, { type, currency }: FakeVendor, config: object) =>
  hub.admin.api<{ id: number; uuid: string }>('POST', '/api/payment/', {
    ...{ type, name: type, icon: type, currency, config },
  })

/** The vendor's notice as it reaches a node. Returns whether the vendor stops sending it. */
const deliverTo = async (url: string, uuid: string, vendor: FakeVendor, notice: SentNotice) => {
  const { method, query: search, headers, body } = notice
  const path = `${url}/api/payment/notify/${uuid}${search && `?${search}`}`
  const response = await fetch(path, { method, headers, ...(body && { body }) })
  return vendor.isAcknowledged(response.status, await response.text())
}

describeEnginesInParallel(engine => {
  let hub: TestHub
  let accounts: Account[]
  beforeAll(async () => {
    // One SQLite file belongs to one process.
    hub = await startTestHub(engine, { instances: engine.name === 'PostgreSQL' ? 2 : 1 })
    accounts = []
    for (const start of Object.values(fakeVendors)) {
      const vendor = await start()
      accounts.push({ vendor, ...(await addGateway(hub, vendor, vendor.config)) })
    }
  })
  afterAll(async () => {
    await hub?.close()
    for (const { vendor } of accounts ?? []) await vendor.close()
  })

  it('R30 R32 R35 the books of the vendors equal the ledger after random events and kills', async () => {
    const storm = new Storm(hub, accounts)
    const killEvery = Math.floor(eventsCount / killsCount)
    for (let n = 1; n <= eventsCount; n += 1) {
      const choice = draw(10)
      if (storm.purchases.length === 0 || choice < 3) await storm.buy()
      else if (choice < 5) storm.reverse()
      else await storm.deliver()
      if (n % killEvery === 0) await storm.kill()
    }
    await storm.drain()
    const orders = await query(hub.gateway, 'select status, credited_at from orders')
    expect([seed, orders.length]).toEqual([seed, storm.purchases.length])
    // An order that was returned or disputed whole before any notice of its payment is never credited.
    const uncredited = orders.filter(each => each.credited_at === null).map(each => each.status)
    expect(uncredited.filter(each => each !== 'refunded' && each !== 'disputed')).toEqual([])
    const people = Map.groupBy(storm.purchases, ({ person }) => person.id)
    for (const [id, purchases] of people) {
      const expected = purchases.reduce((sum, each) => sum + earned(each), startPoints)
      const { balance } = await accountOf(hub.gateway, id)
      expect([seed, id, balance]).toEqual([seed, id, expected])
    }
    await hub.audit()
  })

  it('R30 one hundred notices at once to all nodes credit once', async () => {
    for (const account of accounts) {
      const storm = new Storm(hub, [account])
      const { tradeNo, person, amount } = await storm.buy()
      const notice = account.vendor.paidNotice(tradeNo, nowSeconds())
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => {
          const { url } = hub.gateways[n % hub.gateways.length]!
          return deliverTo(url, account.uuid, account.vendor, notice)
        }),
      )
      expect(answers.filter(each => !each)).toEqual([])
      const { balance } = await accountOf(hub.gateway, person.id)
      expect(balance).toBe(startPoints + amount * perDollar)
    }
  })

  it('R36 after a start, the first notice of each of two accounts is verified with its own key', async () => {
    const pairs = []
    for (const account of accounts) {
      const storm = new Storm(hub, [account])
      const other = await addGateway(hub, account.vendor, account.vendor.otherConfig)
      pairs.push({ ...account, other, paid: await storm.place(), unpaid: await storm.place() })
    }
    for (const node of hub.gateways) {
      await node.stop('SIGKILL')
      await node.start()
    }
    for (const { vendor, uuid, other, paid, unpaid } of pairs) {
      const { amount } = vendor.orders.get(unpaid.tradeNo)!
      const change = { key: vendor.otherKey, amount }
      const foreign = vendor.paidNotice(unpaid.tradeNo, nowSeconds(), change)
      // The other account accepts the signature, and has no such order.
      for (const { url } of hub.gateways) await deliverTo(url, other.uuid, vendor, foreign)
      // The hub asks the vendor by itself from one minute after the order on, so it is paid only now.
      vendor.pay(paid.tradeNo)
      const own = vendor.paidNotice(paid.tradeNo, nowSeconds())
      for (const { url } of hub.gateways) {
        expect([vendor.type, await deliverTo(url, uuid, vendor, own)]).toEqual([vendor.type, true])
        expect(await deliverTo(url, uuid, vendor, foreign)).toBe(false)
        await deliverTo(url, other.uuid, vendor, own)
      }
      const refusals = `select outcome from order_events where gateway_id = ${other.id}`
      const refused = await query(hub.gateway, refusals)
      expect(refused.map(each => each.outcome)).toEqual(hub.gateways.map(() => 'signature'))
      const { balance } = await accountOf(hub.gateway, paid.person.id)
      expect([vendor.type, balance]).toEqual([vendor.type, startPoints + paid.amount * perDollar])
    }
  })
})
