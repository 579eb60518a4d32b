import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '../../harness/audit.ts'
import { nextCallTag } from '../../harness/client.ts'
import { type Prepared, prepare, type RestoredHub } from '../../harness/crash/prepared-hub.ts'
import { faultIn } from '../../harness/frames.ts'
import { accountOf, chargesOf, countHolds } from '../../harness/ledger.ts'
import { describeEachEngine } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'

const startingBalance = 1_000_000_000
const callsCount = 20

describeEachEngine(engine => {
  let prepared: Prepared
  let restored: RestoredHub
  beforeAll(async () => {
    prepared = await prepare(engine, startingBalance)
    restored = await prepared.open()
    await restored.gateway.start()
  })
  afterAll(async () => {
    await restored?.close()
    await prepared?.close()
  })

  /** The kernel lets no file of the gateway grow: what a full disk does, without being root. */
  const fillDisk = () => limitFiles('0:unlimited')
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(restored.gateway.pid), `--fsize=${bytes}`])

  it('R5 neither the database nor the journal can be written: the vendor gets no new request, and unfinished responses are not charged', async () => {
    expect((await restored.ask({ model: 'any:in=10;out=5' })).complete).toBe(true)
    const marks = Array.from({ length: callsCount }, nextCallTag)
    const under = marks.map((mark, at) =>
      restored.ask({ mark, model: 'any:in=10;first=600;out=10;every=20', stream: at % 2 === 0 }),
    )
    await until('all are under way', () => restored.upstream.served.length >= callsCount + 1)
    // The server of a database has a disk of its own: from here it is away, and only the journal is left.
    const giveBack = engine.name === 'PostgreSQL' ? restored.takeAway() : () => undefined
    fillDisk()
    const seen = await Promise.all(under)
    // The receipt cannot be made durable, so no caller gets the end of a response.
    expect(seen.filter(each => each.complete)).toEqual([])
    // A stream that began ends with an error event, never with a broken connection.
    expect(seen.filter(each => each.status === 200 && each.broken)).toEqual([])
    const answered = seen.filter(each => !each.broken)
    for (const each of answered) expect(faultIn(each.text)).toBe('server_ledger')

    const servedCount = restored.upstream.served.length
    const refused = await Promise.all(
      Array.from({ length: 10 }, () => restored.ask({ model: 'any:in=10;out=5' })),
    )
    expect(new Set(refused.map(each => each.status))).toEqual(new Set([503]))
    expect(restored.upstream.served).toHaveLength(servedCount)
    const notReady = await fetch(`${restored.gateway.url}/readyz`)
    expect(notReady.status).toBe(503)
    expect(await notReady.text()).toMatch(/full|cannot be written|ledger is behind/)

    // With space again it serves without a restart, and resolves open calls at the latest when it starts next.
    limitFiles('unlimited:unlimited')
    giveBack()
    await until(
      'it serves again',
      async () => (await restored.ask({ model: 'any:in=10;out=5' })).complete,
    )
    await until(
      'it is ready again',
      async () => (await fetch(`${restored.gateway.url}/readyz`)).status === 200,
    )
    restored.gateway.signal('SIGKILL')
    await restored.gateway.exited()
    await restored.gateway.start()
    await until('no hold is open', async () => (await countHolds(restored.where)) === 0)
    const charges = await chargesOf(restored.where, restored.person.id)
    const byId = Map.groupBy(charges, each => each.id)
    for (const each of seen) {
      const own = byId.get(Number(each.requestId)) ?? []
      expect(own.length).toBeLessThanOrEqual(1)
      // Once, for what was delivered; or not at all.
      expect(own[0]?.amount ?? 0).toBeLessThanOrEqual(60 + 20)
    }
    const { balance, held } = await accountOf(restored.where, restored.person.id)
    expect([balance, held]).toEqual([
      startingBalance - charges.reduce((sum, each) => sum + each.amount, 0),
      0,
    ])
    await auditLedger(restored.where)
  })
})
