import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../../../harness/admin.ts'
import { auditLedger } from '../../../harness/audit.ts'
import { mapConcurrently, nextCallTag } from '../../../harness/client.ts'
import { type Prepared, prepare, type RestoredHub } from '../../../harness/crash/prepared-hub.ts'
import { accountOf, chargesOf, countHolds } from '../../../harness/ledger.ts'
import { rssBytes } from '../../../harness/process/stats.ts'
import { describeEachEngine } from '../../../harness/runner/describe-engines.ts'
import { until } from '../../../harness/runner/until.ts'

const startingBalance = 1_000_000_000

describeEachEngine(engine => {
  let prepared: Prepared
  let restored: RestoredHub
  beforeAll(async () => {
    prepared = await prepare(engine, startingBalance)
    restored = await prepared.open()
    await restored.gateway.start()
    await restored.ask({ model: 'any:out=1' })
  })
  afterAll(async () => {
    await restored?.close()
    await prepared?.close()
  })

  const askMany = async (count: number) => {
    const marks = Array.from({ length: count }, nextCallTag)
    const seen = await mapConcurrently(count, count, at =>
      restored.ask({ model: 'any:in=10;out=5', mark: marks[at] ?? '', stream: at % 2 === 0 }),
    )
    const servedMarks = new Set(restored.upstream.served.map(each => each.mark))
    return { seen, servedMarks }
  }

  const booksAreRight = async () => {
    await until('no hold is open', async () => (await countHolds(restored.where)) === 0)
    const charges = await chargesOf(restored.where, restored.person.id)
    const { balance } = await accountOf(restored.where, restored.person.id)
    expect(balance).toBe(startingBalance - charges.reduce((sum, each) => sum + each.amount, 0))
    await auditLedger(restored.where)
    return new Map(charges.map(each => [each.id, each.amount]))
  }

  it('R45 each statement takes 500 ms: admitted calls are served and charged, the rest get Retry-After, and no queue grows', async () => {
    const before = rssBytes(restored.gateway.pid)
    const quick = restored.slow(500)
    const { seen, servedMarks } = await askMany(600)
    quick()
    const served = seen.filter(each => each.complete)
    const shed = seen.filter(each => each.status === 503)
    console.log(`R45 on ${engine.name}: ${served.length} served, ${shed.length} told to come back`)
    expect(served.length + shed.length).toBe(seen.length)
    // The number of refused calls depends on the batch size; the next test refuses all of them.
    expect(shed.filter(each => servedMarks.has(each.mark))).toEqual([])
    expect((rssBytes(restored.gateway.pid) - before) / 2 ** 20).toBeLessThan(120)
    const charges = await booksAreRight()
    expect(served.filter(each => charges.get(Number(each.requestId)) !== 15)).toEqual([])
  })

  it('R45 slower than the timeout: new calls are refused before the vendor gets a request, and served when the database is fast again', async () => {
    // Longer than the longest time that a slow database is given.
    const quick = restored.slow(8_000)
    const first = await askMany(50)
    const then = await askMany(50)
    quick()
    for (const { seen, servedMarks } of [first, then]) {
      expect(seen.map(each => each.status).filter(each => each !== 503)).toEqual([])
      expect(seen.filter(each => servedMarks.has(each.mark))).toEqual([])
    }
    await until(
      'it serves again',
      async () => (await restored.ask({ model: 'any:in=10;out=5' })).complete,
    )
    await booksAreRight()
  })

  // The embedded database has one reader that all share, and no connections to use up.
  if (engine.name === 'SQLite') return

  it('R45 a console that uses up all its connections to the database does not hold up a single call', async () => {
    const quick = restored.slow(300)
    const root = { bearer: restored.gateway.accessToken }
    const pages = Array.from({ length: 60 }, () =>
      callApi(restored.gateway, root, 'GET', '/api/log/?page=1&size=10'),
    )
    let pending = pages.length
    for (const each of pages) void each.finally(() => pending--)
    const seen = await restored.ask({ model: 'any:in=10;out=5' })
    const left = pending
    quick()
    expect(seen.complete).toBe(true)
    // They were still in the queue when the call was through.
    expect(left).toBeGreaterThan(10)
    const answers = await Promise.all(pages)
    expect(answers.filter(each => ![200, 429, 503].includes(each.status))).toEqual([])
    await booksAreRight()
  })
})
