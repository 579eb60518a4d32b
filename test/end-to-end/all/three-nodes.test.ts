import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../harness/admin.ts'
import { ask, type ObservedCall, unlimitedAgent } from '../../harness/client.ts'
import { engines, hasRedis, type Redis, startRedis } from '../../harness/engines.ts'
import { accountOf, chargesOf } from '../../harness/ledger.ts'
import { type Balancer, startBalancer } from '../../harness/process/balancer.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

/** The soak takes the database away for a minute. */
const awayMs = Number(process.env.HUB_AWAY_MS ?? 4_000)
const callsPerSecond = Number(process.env.HUB_NODES_RATE ?? 40)
const tickMs = 50
/** Every tenth call is a stream of two seconds. */
const streamEvery = 10
/** Points of each call: 10 tokens of input, 40 of output. */
const price = 50
const startingBalance = 1_000_000_000

const engine = engines.find(each => each.name === 'PostgreSQL')!

describe.skipIf(!engine.available || !hasRedis)('three nodes on PostgreSQL and Redis', () => {
  let hub: TestHub
  let redis: Redis
  let balancer: Balancer
  let person: Person
  beforeAll(async () => {
    redis = await startRedis()
    hub = await startTestHub(engine, { instances: 3, redisUrl: redis.url })
    balancer = await startBalancer(hub.gateways)
    // Both limits are kept in Redis, and never reached.
    const limits = { requests_per_day: 1_000_000, concurrent_requests: 100_000 }
    person = await hub.admin.addPerson(startingBalance, limits)
  })
  afterAll(async () => {
    await balancer?.close()
    await hub?.close()
    await redis?.close()
  })

  /** Calls at a fixed rate from now on; the answer ends them, and resolves with all once each has ended. */
  const startLoad = () => {
    const agent = unlimitedAgent()
    const calls: Promise<ObservedCall>[] = []
    const call = () => {
      const stream = calls.length % streamEvery === 0
      const model = stream ? 'any:in=10;out=40;every=50' : 'any:in=10;out=40'
      calls.push(ask({ url: balancer.url, key: person.key, model, stream, agent }))
    }
    const timer = setInterval(() => {
      for (let at = 0; at < (callsPerSecond * tickMs) / 1000; at += 1) call()
    }, tickMs)
    return async () => {
      clearInterval(timer)
      const seen = await Promise.all(calls)
      agent.destroy()
      return seen
    }
  }
  const isServed = (call: ObservedCall) => call.complete && call.status === 200
  const serves = async () =>
    isServed(await ask({ url: balancer.url, key: person.key, model: 'any:in=10;out=40' }))

  it('R44 no posting is wrong after Redis was flushed, the database was away, and a node died', async () => {
    const endFirst = startLoad()
    for (let flush = 0; flush < 3; flush += 1) {
      await sleep(500)
      await redis.flush()
    }
    const flushed = await endFirst()
    expect(flushed.filter(each => !isServed(each)).map(each => each.text.slice(0, 200))).toEqual([])

    const endSecond = startLoad()
    await sleep(500)
    const giveBack = await hub.database.takeAway()
    await sleep(awayMs)
    await giveBack()
    await until('it serves again', serves)
    const away = await endSecond()

    const endThird = startLoad()
    await sleep(1_000)
    const dying = hub.gateways[2]!
    dying.signal('SIGKILL')
    await dying.exited()
    await sleep(1_000)
    const killed = await endThird()

    // A live node takes the holds of the dead one over half a minute after its last sign of life.
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    const charged = new Map<number, number>()
    for (const { id, amount } of charges) {
      const requestId = Math.abs(id)
      charged.set(requestId, (charged.get(requestId) ?? 0) + amount)
    }
    const chargeOf = (call: ObservedCall) => charged.get(Number(call.requestId)) ?? 0
    const seen = [...flushed, ...away, ...killed]
    const served = seen.filter(isServed)
    expect(served.filter(each => chargeOf(each) !== price)).toEqual([])
    const unserved = seen.filter(each => !isServed(each))
    expect(unserved.filter(each => chargeOf(each) > price)).toEqual([])
    // A refused call costs nothing.
    const refused = unserved.filter(each => each.status >= 500)
    expect(refused.filter(each => chargeOf(each) !== 0)).toEqual([])
    console.log(
      `three nodes: ${seen.length} calls, ${served.length} served, ${refused.length} refused`,
    )

    const { balance, held } = await accountOf(hub.gateway, person.id)
    const sum = charges.reduce((total, each) => total + each.amount, 0)
    expect([balance, held]).toEqual([startingBalance - sum, 0])
    await hub.audit()
  })
})
