import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ObservedCall } from '../../harness/client.ts'
import { faultIn } from '../../harness/frames.ts'
import { accountOf, chargesOf, databaseFile } from '../../harness/ledger.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

const awayMs = Number(process.env.HUB_AWAY_MS ?? 8_000)

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  /** The engine cannot write: the server is stopped, or another process holds the file's write lock. */
  const takeAway = async (): Promise<() => void | Promise<void>> => {
    if (engine.name === 'PostgreSQL') return hub.database.takeAway()
    const db = new DatabaseSync(databaseFile(hub.gateway.dataDir))
    db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
    return () => {
      db.exec('ROLLBACK')
      db.close()
    }
  }

  it('R44 while the database is away nothing new is started, answers under way finish and are charged once when it is back', async () => {
    const person = await hub.admin.addPerson(10_000_000)
    expect((await hub.ask({ key: person.key, model: 'any:in=10;out=5' })).complete).toBe(true)
    await hub.settled()
    const running = Array.from({ length: 30 }, (_, at) =>
      hub.ask({
        key: person.key,
        model: `any:in=10;out=${40 + at};every=50`,
        stream: at % 2 === 0,
      }),
    )
    await until('all are under way', () => hub.upstream.served.length >= 31)
    let isLongestOver = false
    const longest = hub
      .ask({ key: person.key, model: 'any:in=10;out=200;every=100' })
      .then(seen => {
        isLongestOver = true
        return seen
      })
    await until('the longest is under way', () => hub.upstream.served.length >= 32)
    const giveBack = await takeAway()
    const ask = () => hub.ask({ key: person.key, model: 'any:in=10;out=5' })
    const codeOf = (seen: ObservedCall) => faultIn(seen.text)
    const hasNoticed = async () => codeOf(await ask()) === 'server_ledger'
    // The mutation of this guard must fail before the whole run of its test is given up.
    await until('it has noticed', hasNoticed, {}, { cpuSeconds: 60, clockSeconds: 120 })
    const refused = [await ask(), await ask(), await ask()]
    expect(refused.map(each => each.status)).toEqual([503, 503, 503])
    for (const each of refused) expect(codeOf(each)).toMatch(/^server_(ledger|busy)$/)
    // Nobody waits for the database or for another call.
    expect(isLongestOver).toBe(false)
    const calledBefore = hub.upstream.served.length
    await ask()
    expect(hub.upstream.served.length).toBe(calledBefore)

    const seen = await Promise.all(running)
    expect(seen.filter(each => !each.complete).map(each => each.text.slice(-200))).toEqual([])
    await sleep(Math.max(0, awayMs - 6_000))
    await giveBack()
    await until('it serves again', async () => (await ask()).complete)
    expect((await longest).complete).toBe(true)
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    const byId = Map.groupBy(charges, each => each.id)
    for (const [at, each] of seen.entries())
      expect(byId.get(Number(each.requestId))?.map(row => row.amount)).toEqual([50 + at])
    const account = await accountOf(hub.gateway, person.id)
    expect(account.balance).toBe(10_000_000 - charges.reduce((sum, each) => sum + each.amount, 0))
    await hub.audit()
  })
})
