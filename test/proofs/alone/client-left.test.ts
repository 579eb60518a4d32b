import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { many, nextMark } from '../../harness/client.ts'
import { onEachEngine } from '../../harness/each.ts'
import { accountOf, chargesOf } from '../../harness/ledger.ts'
import { measured } from '../../harness/measured.ts'
import { openSockets } from '../../harness/process.ts'
import { until } from '../../harness/until.ts'
import { startWorld, type World } from '../../harness/world.ts'

const moments = [
  { name: 'before the first byte', model: 'any:first=400', leaveAfter: 0 },
  { name: 'in the middle', model: 'any:out=2000;every=3', leaveAfter: 3 },
  { name: 'after the last piece', model: 'any:stall=5', leaveAfter: 5 },
]

onEachEngine(engine => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(engine)
  })
  afterAll(() => world?.close())

  /** So many callers who leave, a third of them at each moment; how long each vendor was kept after that, in order. */
  const leave = async (key: string, count: number): Promise<number[]> => {
    world.upstream.forget()
    const left = new Map<string, number>()
    await many(count, 60, async at => {
      const moment = moments[at % 3]
      const mark = nextMark()
      const call = world.ask({
        key,
        model: moment?.model ?? '',
        stream: true,
        mark,
        ...(moment?.leaveAfter ? { leaveAfter: moment.leaveAfter } : {}),
        onSent: request => {
          if (moment?.leaveAfter !== 0) return
          // As soon as the vendor has the request, the caller goes.
          void until('the vendor got it', () =>
            world.upstream.served.some(each => each.mark === mark),
          ).then(() => {
            left.set(mark, performance.now())
            request.destroy()
          })
        },
      })
      const seen = await call
      if (!left.has(mark)) left.set(mark, seen.endedAt)
    })
    await world.settled()
    await until(
      'the vendor was let go everywhere',
      () => world.upstream.served.every(each => each.closedAt !== undefined),
      2_000,
    )
    return world.upstream.served
      .filter(each => left.has(each.mark))
      .map(each => (each.closedAt ?? Number.POSITIVE_INFINITY) - (left.get(each.mark) ?? 0))
      .sort((one, other) => one - other)
  }

  it('R20 a caller who leaves frees the upstream within 100 ms', measured, async () => {
    const person = await world.admin.addPerson(100_000_000)
    const delays = await leave(person.key, 600)
    expect(delays).toHaveLength(600)
    expect(delays.at(-1)).toBeLessThan(1000)
    expect(delays[593]).toBeLessThan(100)
  })

  it('R20 a caller who leaves pays for what was sent, and leaves no socket', async () => {
    const person = await world.admin.addPerson(100_000_000)
    await world.ask({ key: person.key, model: 'any:out=1' })
    const socketsBefore = openSockets(world.gateway.pid)
    await leave(person.key, 1000)

    // Nobody pays for an answer that never began; the others pay once.
    const charges = await chargesOf(world.gateway, person.id)
    expect(charges).toHaveLength(1 + 1000 - Math.ceil(1000 / 3))
    const account = await accountOf(world.gateway, person.id)
    expect(account.used).toBe(charges.reduce((sum, each) => sum + each.amount, 0))
    for (const each of charges) expect(each.amount).toBeLessThan(300)
    await until(
      'no socket stays',
      () => openSockets(world.gateway.pid) <= socketsBefore + 5,
      10_000,
    )
    await world.audit()
  })

  it('R20 what was forwarded is charged, not what the vendor still had', async () => {
    const person = await world.admin.addPerson(1_000_000)
    const seen = await world.ask({
      key: person.key,
      model: 'any:in=10;out=5000;every=2',
      stream: true,
      leaveAfter: 50,
    })
    await world.settled()
    const [charge, ...more] = await chargesOf(world.gateway, person.id)
    expect(more).toEqual([])
    expect(seen.pieces).toBeGreaterThanOrEqual(50)
    // At most a token for each piece that was sent until the caller left, and the prompt.
    expect(charge?.amount).toBeGreaterThan(0)
    expect(charge?.amount).toBeLessThan(10 + 3 * 60 + 60)
  })
})
