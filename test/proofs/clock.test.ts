import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { ask, many, nextMark } from '../harness/client.ts'
import { onEnginesSideBySide } from '../harness/each.ts'
import { faultIn } from '../harness/frames.ts'
import type { Gateway } from '../harness/gateway.ts'
import { accountOf, chargesOf, query } from '../harness/ledger.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'

const hourMs = 3_600_000
const nowSeconds = () => Math.floor(Date.now() / 1000)
const offsetFile = 'clock'

onEnginesSideBySide(engine => {
  let world: World
  beforeAll(async () => {
    // A name without a folder: each node has a file of its own, in its own directory.
    world = await startWorld(engine, {
      env: { CLOCK_OFFSET_FILE: offsetFile },
      instances: engine.name === 'PostgreSQL' ? 2 : 1,
    })
  })
  afterAll(() => world?.close())
  afterEach(() => turn(0))

  /** Turns the wall clock of a node, or of all: everything that counts time must not care, everything that has a date must. */
  const turn = async (milliseconds: number, nodes: Gateway[] = world.gateways) => {
    for (const { dataDir } of nodes) writeFileSync(join(dataDir, offsetFile), String(milliseconds))
    await sleep(120)
  }

  it('R47 a token expires by the wall clock, and by nothing else', async () => {
    const person = await world.admin.addPerson(1_000_000, { expired_time: nowSeconds() + 1_800 })
    const status = async () =>
      (await world.ask({ key: person.key, model: 'any:in=10;out=5' })).status
    expect(await status()).toBe(200)
    await turn(hourMs)
    const late = await world.ask({ key: person.key, model: 'any:in=10;out=5' })
    expect([late.status, faultIn(late.text)]).toEqual([401, 'invalid_api_key'])
    await turn(-hourMs)
    expect(await status()).toBe(200)
  })

  it('R47 the clock jumps an hour ahead and two back under running calls: none is cut, each is charged once, and no hold is taken for an old one', async () => {
    await world.admin.setOption('IdleTimeoutSeconds', '3')
    await world.admin.setOption('StreamDurationMaxSeconds', '20')
    const person = await world.admin.addPerson(10_000_000)
    const marks = Array.from({ length: 20 }, nextMark)
    const calls = marks.map((mark, at) =>
      world.ask({
        mark,
        key: person.key,
        model: 'any:in=10;out=40;every=50',
        stream: at % 2 === 0,
      }),
    )
    await until('all are under way', () =>
      marks.every(mark => world.upstream.served.some(each => each.mark === mark)),
    )
    for (const jump of [hourMs, -hourMs, 0]) await turn(jump)
    const seen = await Promise.all(calls)
    expect(seen.filter(each => !each.complete).map(each => each.text.slice(-200))).toEqual([])
    await world.settled()
    const charges = await chargesOf(world.gateway, person.id)
    expect(charges.map(each => each.amount)).toEqual(marks.map(() => 50))
    // Durations are measured, not subtracted.
    const logs = await query(
      world.gateway,
      `select request_time from logs where user_id = ${person.id} and type = 2`,
    )
    const times = logs.map(each => Number(each.request_time))
    expect(times).toHaveLength(marks.length)
    expect(times.filter(each => each < 1_500 || each > 60_000)).toEqual([])
    await world.audit()
  })

  it('R47 a limit of calls in a minute is neither opened by a jump ahead nor closed by a jump back', async () => {
    const symbol = `slow${Date.now() % 100_000}`
    await world.admin.api('POST', '/api/user_group/', {
      symbol,
      name: symbol,
      ratio: 1,
      api_rate: 5,
      public: false,
      promotion: false,
    })
    await world.admin.addChannel(`${world.upstream.url}/a`, { models: 'any:*', group: symbol })
    const person = await world.admin.addPerson(1_000_000, {}, { group: symbol })
    const rush = async () =>
      (await many(8, 1, () => world.ask({ key: person.key, model: 'any:out=1' }))).filter(
        each => each.complete,
      ).length
    expect(await rush()).toBe(5)
    await turn(hourMs)
    expect(await rush()).toBe(0)
    await turn(-hourMs)
    const refused = await world.ask({ key: person.key, model: 'any:out=1' })
    expect([refused.status, Number(refused.headers['retry-after']) <= 60]).toEqual([429, true])
  })

  it('R47 killed and started again with a clock that is an hour behind: what was open is resolved at once', async () => {
    const person = await world.admin.addPerson(10_000_000)
    const call = world.ask({
      key: person.key,
      model: 'any:in=10;out=2000;every=10',
      stream: true,
      mark: 'behind',
    })
    await until('it runs', () =>
      world.upstream.served.some(each => each.mark === 'behind' && each.pieces > 20),
    )
    world.gateway.signal('SIGKILL')
    await world.gateway.exited()
    await call
    await turn(-hourMs)
    await world.gateway.start()
    await world.settled(10_000)
    const { id, key } = person
    expect((await world.ask({ key, model: 'any:in=10;out=5' })).complete).toBe(true)
    await world.settled()
    const charges = await chargesOf(world.gateway, id)
    expect((await accountOf(world.gateway, id)).balance).toBe(
      10_000_000 - charges.reduce((sum, each) => sum + each.amount, 0),
    )
    await world.audit()
  })

  it('R47 someone signed in stays so over a jump back, and no longer than the session lasts over a jump ahead', async () => {
    const person = await world.admin.addPerson(1_000)
    const self = () => callApi(world.gateway, { cookie: person.cookie }, 'GET', '/api/user/self')
    expect((await self()).status).toBe(200)
    await turn(-hourMs)
    expect((await self()).status).toBe(200)
    await turn(400 * 24 * hourMs)
    expect((await self()).status).toBe(401)
  })

  // One file belongs to one process.
  if (engine.name === 'SQLite') return

  it('R47 two nodes two hours apart work on one balance: neither takes the other for dead, and the books are right', async () => {
    const [one, two] = world.gateways as [Gateway, Gateway]
    const dead = async () =>
      (await query(world.gateway, "select * from nodes where state <> 'live'")).length
    const deadBefore = await dead()
    await turn(hourMs, [one])
    await turn(-hourMs, [two])
    const person = await world.admin.addPerson(10_000_000)
    const seen = await many(100, 20, at =>
      ask({
        url: (at % 2 ? one : two).url,
        key: person.key,
        model: 'any:in=10;out=5;every=20',
        stream: at % 3 === 0,
      }),
    )
    expect(seen.filter(each => !each.complete)).toEqual([])
    await world.settled()
    const charges = await chargesOf(world.gateway, person.id)
    expect(charges.filter(each => each.kind === 'request' && each.amount === 15)).toHaveLength(100)
    expect(await dead()).toBe(deadBefore)
    await world.audit()
  })
})
