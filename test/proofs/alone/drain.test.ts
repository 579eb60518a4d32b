import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEachEngine } from '../../harness/each.ts'
import { faultIn } from '../../harness/frames.ts'
import { accountOf, chargesOf } from '../../harness/ledger.ts'
import { until } from '../../harness/until.ts'
import { startWorld, type World } from '../../harness/world.ts'

onEachEngine(engine => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(engine)
  })
  afterAll(() => world?.close())

  it('R40 asked to stop with 500 streams: not ready at once, short streams finish, the rest are told and paid, exit 0', async () => {
    const person = await world.admin.addPerson(1_000_000_000)
    expect((await fetch(`${world.gateway.url}/readyz`)).status).toBe(200)
    const calls = Array.from({ length: 500 }, (_, at) =>
      world.ask({
        key: person.key,
        model: at % 5 === 0 ? 'any:in=10;out=100000;every=100' : 'any:in=10;out=40;every=80',
        stream: true,
      }),
    )
    await until(
      'all 500 are being served',
      () => world.upstream.served.filter(each => each.pieces > 0).length === 500,
      30_000,
    )
    const code = world.gateway.stop('SIGTERM')
    await sleep(200)
    const ready = await fetch(`${world.gateway.url}/readyz`).then(
      response => response.status,
      () => 503,
    )
    expect(ready).toBe(503)
    const late = await world.ask({ key: person.key, model: 'any:out=1' })
    expect(late.broken || faultIn(late.text) === 'server_stopping').toBe(true)

    const seen = await Promise.all(calls)
    expect(await code).toBe(0)
    const short = seen.filter((_, at) => at % 5 !== 0)
    const long = seen.filter((_, at) => at % 5 === 0)
    expect(short.filter(each => !each.complete)).toEqual([])
    expect(long.filter(each => faultIn(each.text) !== 'server_stopping')).toEqual([])

    const charges = await chargesOf(world.gateway, person.id)
    expect(charges).toHaveLength(500)
    const whole = charges.filter(each => each.amount === 50)
    expect(whole.length).toBeGreaterThanOrEqual(400)
    expect(await accountOf(world.gateway, person.id)).toMatchObject({ held: 0, requests: 500 })
    await world.audit()
  })
})
