import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type ObservedCall, unlimitedAgent } from '../../harness/client.ts'
import { engines } from '../../harness/engines.ts'
import { accountOf, chargesOf } from '../../harness/ledger.ts'
import { type Balancer, startBalancer } from '../../harness/process/balancer.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

/** The soak restarts 20 times at 200 calls a second. */
const restarts = Number(process.env.HUB_ROLLING_RESTARTS ?? 2)
const nodes = Number(process.env.HUB_ROLLING_NODES ?? 2)
const callsPerSecond = Number(process.env.HUB_ROLLING_RATE ?? 40)
const tickMs = 50
/** Every tenth call is a stream of two seconds, which a restart must wait for. */
const streamEvery = 10

/** One SQLite file belongs to one process, which no other can stand in for. */
const engine = engines.find(each => each.name === 'PostgreSQL')!

describe.skipIf(!engine.available)('on PostgreSQL', () => {
  let hub: TestHub
  let balancer: Balancer
  beforeAll(async () => {
    hub = await startTestHub(engine, { instances: nodes, env: { STOP_DELAY_SECONDS: '5' } })
    balancer = await startBalancer(hub.gateways)
  })
  afterAll(async () => {
    await balancer?.close()
    await hub?.close()
  })

  it('R41 nodes are restarted in turn under load: no call fails, and streams end properly', async () => {
    const person = await hub.admin.addPerson(1_000_000_000)
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
    for (let restart = 0; restart < restarts; restart += 1) {
      const gateway = hub.gateways[restart % nodes]!
      expect(await gateway.stop('SIGTERM')).toBe(0)
      await gateway.start()
      // The balancer sees the new node before the other one stops.
      await sleep(1_000)
    }
    clearInterval(timer)
    const seen = await Promise.all(calls)
    agent.destroy()

    const failed = seen.filter(each => !each.complete || each.status !== 200)
    expect(failed.map(each => [each.status, each.text.slice(0, 200), balancer.failures])).toEqual(
      [],
    )
    console.log(`R41: ${restarts} restarts, ${seen.length} calls, ${failed.length} failed`)
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    expect(charges.map(each => each.amount)).toEqual(seen.map(() => 50))
    expect(await accountOf(hub.gateway, person.id)).toMatchObject({
      held: 0,
      requests: seen.length,
    })
    await hub.audit()
  })
})
