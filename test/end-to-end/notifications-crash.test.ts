import { afterAll, expect, it } from 'vitest'
import { change, query } from '../harness/ledger.ts'
import { startNotifierServices } from '../harness/notifiers/start.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// Two nodes send from one outbox and are killed while they send. No event is lost, and a webhook, which has an id, is
// doubled for nobody. Bark has no id: at most the message that was under way when its node died may be shown twice.

const events = 12
const stepsOfKills = [2, 5]

describeEachEngine(engine => {
  let hub: TestHub | undefined
  let services: Awaited<ReturnType<typeof startNotifierServices>> | undefined
  afterAll(async () => {
    await hub?.close()
    await services?.close()
  })

  it('notifications: two nodes that are killed while they send lose nothing, and double what is under way at most', async () => {
    services = await startNotifierServices(Date.now)
    const { accepted, config, requests } = services
    hub = await startTestHub(engine, { instances: engine.name === 'SQLite' ? 1 : 2 })
    const { gateways, admin, gateway } = hub
    await admin.setOption('ServerAddress', 'https://hub.example')
    for (const type of ['webhook', 'bark'] as const)
      await admin.api('POST', '/api/notification/', { name: type, type, config: config(type) })
    const add = async (n: number) => {
      for (const target of [1, 2])
        await change(
          gateway,
          `insert into notifications (event, event_key, target_id, window_at, facts, count, state, attempts, due_at,
            run_at, created_at, failure) values ('order.paid', 'k${n}', ${target}, 0,
            '{"trade_no":"T${n}","usd":1,"user":"ann"}', 1, 'waiting', 0, 0, 0, ${n}, '')`,
        )
    }
    for (let n = 0; n < events; n += 1) await add(n)
    // A death frees its targets after the lease of 40 s; the test does not wait for it.
    const endLeases = async () => {
      await change(gateway, `update notification_targets set next_at_ms = 0`)
      await change(gateway, `update notifications set run_at = 0 where state = 'waiting'`)
    }
    for (const steps of stepsOfKills) {
      const before = requests()
      await endLeases()
      await until('a node sends', () => requests() >= before + steps || allEnded())
      for (const each of gateways) await each.stop('SIGKILL')
      for (const each of gateways) await each.start()
    }
    await endLeases()
    await until('all is sent', allEnded, 120_000)
    const rows = await query(gateway, `select state from notifications where event = 'order.paid'`)
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 2 * events }, () => 'sent'))
    const numbersOf = (texts: string[]) => texts.map(text => /T\d+/.exec(text)?.[0])
    const webhooks = numbersOf(accepted.webhook)
    expect([webhooks.length, new Set(webhooks).size]).toEqual([events, events])
    const pushes = numbersOf(accepted.bark)
    expect(new Set(pushes).size).toBe(events)
    expect(pushes.length).toBeLessThanOrEqual(events + stepsOfKills.length)
  })

  const allEnded = async (): Promise<boolean> =>
    (await query(hub!.gateway, `select id from notifications where state = 'waiting'`)).length === 0
})
