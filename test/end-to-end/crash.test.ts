import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { estimatedTokens } from '../harness/client.ts'
import { crashRounds, startingBalance } from '../harness/crash/crash-rounds.ts'
import { accountOf, chargesOf, query } from '../harness/ledger.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)

describeEachEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  it('R1 killed five times on each engine with 50 calls in flight: no complete answer unpaid, nothing charged twice, no balance below zero', async () => {
    const report = await crashRounds(hub, { rounds: 5, inFlight: 50, seed })
    console.log(`R1 on ${engine.name}, seed ${seed}: ${JSON.stringify(report)}`)
    expect(report).toMatchObject({ lost: [], doubled: [], over: [], failed: [] })
    // Without any, nothing would be proven: a machine under load answers few between two kills.
    expect(report.complete).toBeGreaterThan(10)
    expect(report.broken).toBeGreaterThan(50)
    // A checkpoint comes every 2 s or 512 tokens: that is all a broken stream may be charged too little.
    expect(report.worstUnder).toBeLessThanOrEqual(512)
  })

  it('R1 a single call in flight, killed: charged at most what was delivered', async () => {
    const person = await hub.admin.addPerson(startingBalance)
    const call = hub.ask({ key: person.key, model: 'any:in=10;out=3000;every=10', stream: true })
    const written = () => query(hub.gateway, 'select id from holds where accrued > 0')
    await until('it is written down on its way', async () => (await written()).length > 0)
    hub.gateway.signal('SIGKILL')
    const seen = await call
    await hub.gateway.exited()
    await hub.gateway.start()
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    const amount = charges.reduce((sum, each) => sum + each.amount, 0)
    expect(amount).toBeGreaterThan(0)
    expect(amount).toBeLessThanOrEqual(60 + estimatedTokens(seen.pieces))
    await hub.audit()
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'R42 a second %s while it drains: what was complete is paid, the rest is resolved at the next start',
    async signal => {
      const person = await hub.admin.addPerson(startingBalance)
      const before = hub.upstream.served.length
      const calls = Array.from({ length: 40 }, (_, at) =>
        hub.ask({
          key: person.key,
          model: `any:in=10;out=${at % 2 ? 20 : 2000};every=20`,
          stream: true,
        }),
      )
      // On a busy machine the short ones end before the last one has begun.
      await until('all have begun', () => hub.upstream.served.length >= before + 40)
      hub.gateway.signal('SIGTERM')
      await sleep(1_000)
      hub.gateway.signal(signal)
      const seen = await Promise.all(calls)
      await hub.gateway.exited()
      await hub.gateway.start()
      await hub.settled()
      const charges = await chargesOf(hub.gateway, person.id)
      const paid = new Set(charges.map(each => each.id))
      expect(paid.size).toBe(charges.length)
      const whole = seen.filter(each => each.complete)
      expect(whole.filter(each => !paid.has(Number(each.requestId)))).toEqual([])
      const account = await accountOf(hub.gateway, person.id)
      expect(account.balance).toBe(
        startingBalance - charges.reduce((sum, each) => sum + each.amount, 0),
      )
      await hub.audit()
    },
  )
})
