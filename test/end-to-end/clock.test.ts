import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { ask, mapConcurrently, nextCallTag } from '../harness/client.ts'
import { faultIn } from '../harness/frames.ts'
import type { Gateway } from '../harness/gateway.ts'
import { accountOf, chargesOf, query } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const hourMs = 3_600_000
const nowSeconds = () => Math.floor(Date.now() / 1000)
const offsetFile = 'clock'

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    // A name without a folder: each node has a file of its own, in its own directory.
    hub = await startTestHub(engine, {
      env: { CLOCK_OFFSET_FILE: offsetFile },
      instances: engine.name === 'PostgreSQL' ? 2 : 1,
    })
  })
  afterAll(() => hub?.close())
  afterEach(() => turn(0))

  /** Turns the wall clock of a node, or of all: everything that counts time must not care, everything that has a date must. */
  const turn = async (milliseconds: number, nodes: Gateway[] = hub.gateways) => {
    for (const { dataDir } of nodes) writeFileSync(join(dataDir, offsetFile), String(milliseconds))
    await sleep(120)
  }

  it('R47 a token expires by the wall clock, and by nothing else', async () => {
    const person = await hub.admin.addPerson(1_000_000, { expired_time: nowSeconds() + 1_800 })
    const status = async () => (await hub.ask({ key: person.key, model: 'any:in=10;out=5' })).status
    expect(await status()).toBe(200)
    await turn(hourMs)
    const late = await hub.ask({ key: person.key, model: 'any:in=10;out=5' })
    expect([late.status, faultIn(late.text)]).toEqual([401, 'invalid_api_key'])
    await turn(-hourMs)
    expect(await status()).toBe(200)
  })

  it('R47 the clock jumps an hour ahead and two back under running calls: none is cut, each is charged once, and no hold is taken for an old one', async () => {
    await hub.admin.setOption('IdleTimeoutSeconds', '3')
    await hub.admin.setOption('StreamDurationMaxSeconds', '20')
    const person = await hub.admin.addPerson(10_000_000)
    const marks = Array.from({ length: 20 }, nextCallTag)
    const calls = marks.map((mark, at) =>
      hub.ask({
        mark,
        key: person.key,
        model: 'any:in=10;out=40;every=50',
        stream: at % 2 === 0,
      }),
    )
    await until('all are under way', () =>
      marks.every(mark => hub.upstream.served.some(each => each.mark === mark)),
    )
    for (const jump of [hourMs, -hourMs, 0]) await turn(jump)
    const seen = await Promise.all(calls)
    expect(seen.filter(each => !each.complete).map(each => each.text.slice(-200))).toEqual([])
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    expect(charges.map(each => each.amount)).toEqual(marks.map(() => 50))
    // Durations are measured, not subtracted.
    const logs = await query(
      hub.gateway,
      `select request_time from logs where user_id = ${person.id} and type = 2`,
    )
    const times = logs.map(each => Number(each.request_time))
    expect(times).toHaveLength(marks.length)
    expect(times.filter(each => each < 1_500 || each > 60_000)).toEqual([])
    await hub.audit()
  })

  it('R47 a limit of calls in a minute is neither opened by a jump ahead nor closed by a jump back', async () => {
    const symbol = `slow${Date.now() % 100_000}`
    await hub.admin.api('POST', '/api/user_group/', {
      symbol,
      name: symbol,
      ratio: 1,
      api_rate: 5,
      public: false,
      promotion: false,
    })
    await hub.admin.addChannel(`${hub.upstream.url}/a`, { models: 'any:*', group: symbol })
    const person = await hub.admin.addPerson(1_000_000, {}, { group: symbol })
    const rush = async () =>
      (await mapConcurrently(8, 1, () => hub.ask({ key: person.key, model: 'any:out=1' }))).filter(
        each => each.complete,
      ).length
    expect(await rush()).toBe(5)
    await turn(hourMs)
    expect(await rush()).toBe(0)
    await turn(-hourMs)
    const refused = await hub.ask({ key: person.key, model: 'any:out=1' })
    expect([refused.status, Number(refused.headers['retry-after']) <= 60]).toEqual([429, true])
  })

  it('R47 killed and started again with a clock that is an hour behind: what was open is resolved at once', async () => {
    const person = await hub.admin.addPerson(10_000_000)
    const call = hub.ask({
      key: person.key,
      model: 'any:in=10;out=2000;every=10',
      stream: true,
      mark: 'behind',
    })
    await until('it runs', () =>
      hub.upstream.served.some(each => each.mark === 'behind' && each.pieces > 20),
    )
    hub.gateway.signal('SIGKILL')
    await hub.gateway.exited()
    await call
    await turn(-hourMs)
    await hub.gateway.start()
    await hub.settled()
    const { id, key } = person
    expect((await hub.ask({ key, model: 'any:in=10;out=5' })).complete).toBe(true)
    await hub.settled()
    const charges = await chargesOf(hub.gateway, id)
    expect((await accountOf(hub.gateway, id)).balance).toBe(
      10_000_000 - charges.reduce((sum, each) => sum + each.amount, 0),
    )
    await hub.audit()
  })

  it('R47 someone signed in stays so over a jump back, and no longer than the session lasts over a jump ahead', async () => {
    const person = await hub.admin.addPerson(1_000)
    const self = () => callApi(hub.gateway, { cookie: person.cookie }, 'GET', '/api/user/self')
    expect((await self()).status).toBe(200)
    await turn(-hourMs)
    expect((await self()).status).toBe(200)
    await turn(400 * 24 * hourMs)
    expect((await self()).status).toBe(401)
  })

  // One file belongs to one process.
  if (engine.name === 'SQLite') return

  it('R47 two nodes two hours apart work on one balance: neither takes the other for dead, and the books are right', async () => {
    const [one, two] = hub.gateways as [Gateway, Gateway]
    const dead = async () =>
      (await query(hub.gateway, "select * from nodes where state <> 'live'")).length
    const deadBefore = await dead()
    await turn(hourMs, [one])
    await turn(-hourMs, [two])
    const person = await hub.admin.addPerson(10_000_000)
    const seen = await mapConcurrently(100, 20, at =>
      ask({
        url: (at % 2 ? one : two).url,
        key: person.key,
        model: 'any:in=10;out=5;every=20',
        stream: at % 3 === 0,
      }),
    )
    expect(seen.filter(each => !each.complete)).toEqual([])
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    expect(charges.filter(each => each.kind === 'request' && each.amount === 15)).toHaveLength(100)
    expect(await dead()).toBe(deadBefore)
    await hub.audit()
  })
})
