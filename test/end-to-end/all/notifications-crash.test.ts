import { afterAll, expect, it } from 'vitest'
import { administer } from '../../harness/admin.ts'
import type { Gateway } from '../../harness/gateway.ts'
import { change, query } from '../../harness/ledger.ts'
import type { Outcome } from '../../harness/notifiers/service.ts'
import { type ServiceName, startNotifierServices } from '../../harness/notifiers/start.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

// Two nodes (on SQLite one) send from one outbox to services with 30 % faults, and are killed at steps of sending. No
// event is lost. A webhook and an e-mail have an id, so that nobody sees one twice. Bark has none: a message that was
// under way when its node died may be shown twice.

/** The soak raises both. */
const events = Number(process.env.HUB_NOTIFICATION_EVENTS ?? 8)
const kills = Number(process.env.HUB_NOTIFICATION_KILLS ?? 1)
const types = ['webhook', 'email', 'bark'] as const
const withIds: readonly ServiceName[] = ['webhook', 'email']

/** Three in ten requests of each service meet one of these. */
const faults: readonly Outcome[] = ['fault', 'lose answer', 'hang up', 'fault', 'hang up', 'refuse']

describeEnginesInParallel(engine => {
  let hub: TestHub | undefined
  let services: Awaited<ReturnType<typeof startNotifierServices>> | undefined
  afterAll(async () => {
    await hub?.close()
    await services?.close()
  })

  it('notifications: nodes that are killed while they send lose nothing, and double what is under way at most', async () => {
    services = await startNotifierServices(Date.now)
    services.meet(makeFaults())
    hub = await startTestHub(engine, { instances: engine.name === 'SQLite' ? 1 : 2 })
    const { gateways, gateway } = hub
    await addTargets(hub, services)
    let added = 0
    const add = async (count: number) => {
      for (let n = 0; n < count && added < events; n += 1) await insertEvent(gateway, added++)
    }
    for (const each of gateways) await each.stop('SIGKILL')
    for (let kill = 1; kill <= kills; kill += 1) {
      for (const each of gateways) await each.start({ FAILPOINT: `signal:${kill}` })
      for (const each of gateways) each.signal('SIGUSR2')
      await add(Math.ceil(events / (kills + 1)))
      await endOfOne(gateways)
      for (const each of gateways) await each.stop('SIGKILL')
      await endLeases(gateway)
    }
    await endAlone(gateways, () => add(events))
    await untilAllEnded(gateway)
    await checkDeliveries(engine.name, gateway, services)
    // The first of two nodes stays dead.
    const { data: lost } = await administer(gateways.at(-1)!).api<{
      data: { event: string; title: string }[]
    }>('GET', '/api/notification/delivery?target_id=1&order=-id&size=100')
    const titles = lost.filter(each => each.event === 'node.lost').map(each => each.title)
    expect([titles.length >= kills, new Set(titles).size]).toEqual([true, titles.length])
    expect(titles[0]).toMatch(/^Node \d+ was lost$/)
  })
})

const makeFaults = () => {
  const turns = new Map<ServiceName, number>()
  return (name: ServiceName): Outcome => {
    const turn = turns.get(name) ?? 0
    turns.set(name, turn + 1)
    if (turn % 10 >= 3) return undefined
    const outcome = faults[(Math.floor(turn / 10) * 3 + (turn % 10)) % faults.length]
    return outcome === 'lose answer' && !withIds.includes(name) ? 'hang up' : outcome
  }
}

type Services = Awaited<ReturnType<typeof startNotifierServices>>

const addTargets = async ({ admin }: TestHub, { mailSettings, config }: Services) => {
  const settings = { ServerAddress: 'https://hub.example', ...mailSettings }
  for (const [key, value] of Object.entries(settings)) await admin.setOption(key, value)
  for (const type of types) {
    const list = type === 'webhook' ? ['node.lost'] : []
    const target = { name: type, type, config: config(type), events: list }
    await admin.api('POST', '/api/notification/', target)
  }
}

const insertEvent = async (gateway: Gateway, n: number) => {
  for (const target of types.keys())
    await change(
      gateway,
      `insert into notifications (event, event_key, target_id, window_at, facts, count, state, attempts, due_at,
        run_at, created_at, failure) values ('order.paid', 'k${n}', ${target + 1}, 0,
        '{"trade_no":"T${n}","usd":1,"user":"ann"}', 1, 'waiting', 0, 0, 0, ${n}, '')`,
    )
}

/** Resolves when one of the nodes is dead, or has nothing to send that would bring it to its step. */
const endOfOne = async (gateways: readonly Gateway[]) => {
  const dead = gateways.map(each => each.exited().then(() => 'dead'))
  const idle = untilAllEnded(gateways[0]!).then(() => 'idle')
  // A killed node leaves the wait for the idle one behind.
  idle.catch(() => undefined)
  await Promise.race([...dead, idle])
}

/** The nodes are dead. The test does not wait until the leases of 40 s end. */
const endLeases = async (gateway: Gateway) => {
  await change(gateway, `update notification_targets set next_at_ms = 0`)
  await change(gateway, `update notifications set run_at = 0 where state = 'waiting'`)
}

/** One of two nodes is killed while it sends and stays dead: the other one sends after the lease. */
const endAlone = async (gateways: readonly Gateway[], add: () => Promise<void>) => {
  const [first, ...others] = gateways as [Gateway, ...Gateway[]]
  for (const each of others) await each.start()
  await first.start(others.length > 0 ? { FAILPOINT: 'signal:2' } : {})
  if (others.length > 0) first.signal('SIGUSR2')
  await add()
  if (others.length === 0) return
  await endOfOne([first])
  await first.stop('SIGKILL')
}

const waiting = `select id from notifications where state = 'waiting' and event = 'order.paid'`
const countWaiting = async (gateway: Gateway) => (await query(gateway, waiting)).length

/** Many take hours together, so that each end of one begins a new wait. */
const untilAllEnded = async (gateway: Gateway) => {
  for (let left = await countWaiting(gateway); left > 0; left = await countWaiting(gateway)) {
    const before = left
    await until('a notification has ended', async () => (await countWaiting(gateway)) < before)
  }
}

const checkDeliveries = async (engine: string, gateway: Gateway, { accepted }: Services) => {
  const rows = await query(
    gateway,
    `select state, target_id, event_key from notifications where event = 'order.paid'`,
  )
  expect(rows.length).toBe(types.length * events)
  const figures: string[] = []
  for (const [at, type] of types.entries()) {
    const arrived = accepted[type].flatMap(text => /T(\d+) was paid/.exec(text)?.[1] ?? [])
    const failed = rows
      .filter(each => Number(each.target_id) === at + 1 && each.state === 'failed')
      .map(each => String(each.event_key).slice(1))
    const repeated = arrived.length - new Set(arrived).size
    expect([type, new Set([...arrived, ...failed]).size]).toEqual([type, events])
    expect(repeated).toBeLessThanOrEqual(withIds.includes(type) ? 0 : 2 * kills + 1)
    figures.push(`${type} ${arrived.length} arrived, ${failed.length} failed, ${repeated} twice`)
  }
  console.log(`Notifications on ${engine}, ${kills} kills: ${figures.join('; ')}`)
}
