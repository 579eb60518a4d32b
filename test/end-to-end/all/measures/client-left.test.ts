import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently, nextCallTag } from '../../../harness/client.ts'
import { accountOf, chargesOf } from '../../../harness/ledger.ts'
import { openSockets } from '../../../harness/process/stats.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const moments = [
  { name: 'before the first byte', model: 'any:first=400', leaveAfter: 0 },
  { name: 'in the middle', model: 'any:out=2000;every=3', leaveAfter: 3 },
  { name: 'after the last piece', model: 'any:stall=5', leaveAfter: 5 },
]

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('AbandonedPointsPerMinute', '1000000000')
    // No limit of the gateway may let go of a vendor before the wait for a caller's leaving fails.
    for (const limit of ['FirstByteTimeoutSeconds', 'IdleTimeoutSeconds'])
      await hub.admin.setOption(limit, '3600')
  })
  afterAll(() => hub?.close())

  /** So many callers who leave, a third of them at each moment; how long each vendor was kept after that, in order. */
  const leave = async (key: string, count: number): Promise<number[]> => {
    hub.upstream.forget()
    const left = new Map<string, number>()
    await mapConcurrently(count, 60, async at => {
      const moment = moments[at % 3]
      const mark = nextCallTag()
      const call = hub.ask({
        key,
        model: moment?.model ?? '',
        stream: true,
        // A vendor that may hide reasoning is read on for up to two seconds; this one hides none.
        body: { reasoning_effort: 'none' },
        mark,
        ...(moment?.leaveAfter ? { leaveAfter: moment.leaveAfter } : {}),
        onSent: request => {
          if (moment?.leaveAfter !== 0) return
          // As soon as the vendor has the request, the caller goes.
          void until('the vendor got it', () =>
            hub.upstream.served.some(each => each.mark === mark),
          ).then(() => {
            left.set(mark, performance.now())
            request.destroy()
          })
        },
      })
      const seen = await call
      if (!left.has(mark)) left.set(mark, seen.endedAt)
    })
    await hub.settled()
    await until('the vendor was let go everywhere', () =>
      hub.upstream.served.every(each => each.closedAt !== undefined),
    )
    return hub.upstream.served
      .filter(each => left.has(each.mark))
      .map(each => (each.closedAt ?? Number.POSITIVE_INFINITY) - (left.get(each.mark) ?? 0))
      .sort((one, other) => one - other)
  }

  it('R20 a caller who leaves frees the upstream within 100 ms', retryTiming, async () => {
    const person = await hub.admin.addPerson(100_000_000)
    await hub.ask({ key: person.key, model: 'any:out=1' })
    const socketsBefore = openSockets(hub.gateway.pid)
    const delays = await leave(person.key, 600)
    const allLeftAt = performance.now()
    expect(delays).toHaveLength(600)
    expect(delays.at(-1)).toBeLessThan(1000)
    expect(delays[593]).toBeLessThan(100)
    await until('no socket stays', () => openSockets(hub.gateway.pid) <= socketsBefore + 5)
    expect(performance.now() - allLeftAt).toBeLessThan(10_000)
  })

  it('R20 a caller who leaves pays for what was sent, and leaves no socket', async () => {
    const person = await hub.admin.addPerson(100_000_000)
    await hub.ask({ key: person.key, model: 'any:out=1' })
    const socketsBefore = openSockets(hub.gateway.pid)
    await leave(person.key, 1000)

    // A response that never began costs nothing; the others are charged once.
    const charges = await chargesOf(hub.gateway, person.id)
    expect(charges).toHaveLength(1 + 1000 - Math.ceil(1000 / 3))
    const account = await accountOf(hub.gateway, person.id)
    expect(account.used).toBe(charges.reduce((sum, each) => sum + each.amount, 0))
    for (const each of charges) expect(each.amount).toBeLessThan(300)
    await until('no socket stays', () => openSockets(hub.gateway.pid) <= socketsBefore + 5)
    await hub.audit()
  })

  it('R20 what was forwarded is charged, not what the vendor still had', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const seen = await hub.ask({
      key: person.key,
      model: 'any:in=10;out=5000;every=2',
      stream: true,
      leaveAfter: 50,
    })
    await hub.settled()
    const [charge, ...more] = await chargesOf(hub.gateway, person.id)
    expect(more).toEqual([])
    expect(seen.pieces).toBeGreaterThanOrEqual(50)
    // At most a token for each piece that was sent until the caller left, and the prompt.
    expect(charge?.amount).toBeGreaterThan(0)
    expect(charge?.amount).toBeLessThan(10 + 3 * 60 + 60)
  })
})
