import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { metered } from '../harness/client.ts'
import { crashRounds, startingBalance } from '../harness/crash.ts'
import { onEachEngine } from '../harness/each.ts'
import { accountOf, chargesOf, query } from '../harness/ledger.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'

const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)

onEachEngine(engine => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(engine)
  })
  afterAll(() => world?.close())

  it('R1 killed 20 times with 50 calls in flight: no complete answer unpaid, nothing charged twice, no balance below zero', async () => {
    const report = await crashRounds(world, { rounds: 20, inFlight: 50, seed })
    console.log(`R1 on ${engine.name}, seed ${seed}: ${JSON.stringify(report)}`)
    expect(report).toMatchObject({ lost: [], doubled: [], over: [], failed: [] })
    expect(report.complete).toBeGreaterThan(200)
    expect(report.broken).toBeGreaterThan(200)
    // A checkpoint comes every 2 s or 512 tokens: that is all a broken stream may be charged too little.
    expect(report.worstUnder).toBeLessThanOrEqual(512)
  })

  it('R1 a single call in flight, killed: charged at most what was delivered', async () => {
    const person = await world.admin.addPerson(startingBalance)
    const call = world.ask({ key: person.key, model: 'any:in=10;out=3000;every=10', stream: true })
    const written = () => query(world.gateway, 'select id from holds where accrued > 0')
    await until('it is written down on its way', async () => (await written()).length > 0)
    world.gateway.signal('SIGKILL')
    const seen = await call
    await world.gateway.exited()
    await world.gateway.start()
    await world.settled(20_000)
    const charges = await chargesOf(world.gateway, person.id)
    const amount = charges.reduce((sum, each) => sum + each.amount, 0)
    expect(amount).toBeGreaterThan(0)
    expect(amount).toBeLessThanOrEqual(60 + metered(seen.pieces))
    await world.audit()
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'R42 a second %s while it drains: what was complete is paid, the rest is resolved at the next start',
    async signal => {
      const person = await world.admin.addPerson(startingBalance)
      const calls = Array.from({ length: 40 }, (_, at) =>
        world.ask({
          key: person.key,
          model: `any:in=10;out=${at % 2 ? 20 : 2000};every=20`,
          stream: true,
        }),
      )
      await until(
        'all are under way',
        () => world.upstream.served.filter(each => each.closedAt === undefined).length >= 40,
      )
      world.gateway.signal('SIGTERM')
      await sleep(1_000)
      world.gateway.signal(signal)
      const seen = await Promise.all(calls)
      await world.gateway.exited()
      await world.gateway.start()
      await world.settled(20_000)
      const charges = await chargesOf(world.gateway, person.id)
      const paid = new Set(charges.map(each => each.id))
      expect(paid.size).toBe(charges.length)
      const whole = seen.filter(each => each.complete)
      expect(whole.filter(each => !paid.has(Number(each.requestId)))).toEqual([])
      const account = await accountOf(world.gateway, person.id)
      expect(account.balance).toBe(
        startingBalance - charges.reduce((sum, each) => sum + each.amount, 0),
      )
      await world.audit()
    },
  )
})
