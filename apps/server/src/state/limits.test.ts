import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quiet } from '../../test/quiet.ts'
import { describeInRedis } from '../../test/redis.ts'
import { openState, type State, type Want } from './index.ts'

let n = 0
const key = () => `limit-${n++}`
const ids = (count: number) => Array.from({ length: count }, (_, at) => `call-${n++}-${at}`)
const sum = (key: string, more: Partial<Want> = {}): Want => ({
  kind: 'sum',
  key,
  limit: 20,
  amount: 1,
  windowSeconds: 60,
  ...more,
})
const lease = (key: string, more: Partial<Want> = {}): Want => ({
  ...sum(key, more),
  kind: 'lease',
})

/** What the limits of calls owe, wherever they are kept. */
const keepsTheLaws = (open: () => Promise<State>) => {
  let state: State
  beforeAll(async () => {
    state = await open()
  })
  afterAll(() => state.close())
  const takeAll = (calls: string[], wants: Want[]) =>
    Promise.all(calls.map(id => state.take(id, wants)))

  it('a sum lets exactly its limit pass, however many ask at once, and says how many are left', async () => {
    const k = key()
    const all = await takeAll(ids(50), [sum(k)])
    expect(all.filter(each => each.ok)).toHaveLength(20)
    expect(all[0]!.verdicts[0]).toMatchObject({ ok: true, limit: 20, remaining: 19 })
    const refused = await state.take('late', [sum(k)])
    expect(refused).toMatchObject({ ok: false, refused: [0], unseeded: [] })
    const { retryAfterSeconds } = refused.verdicts[0]!
    expect(retryAfterSeconds).toBeGreaterThan(50)
    expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it('all are taken or none: what one limit refuses counts at no other', async () => {
    const [wide, narrow, places] = [key(), key(), key()]
    const wants = [sum(wide), lease(places), sum(narrow, { limit: 1 })]
    expect((await state.take('one', wants)).ok).toBe(true)
    expect(await state.take('two', wants)).toMatchObject({ ok: false, refused: [2] })
    expect((await state.take('three', [sum(wide)])).verdicts[0]).toMatchObject({ remaining: 18 })
    expect((await state.take('four', [lease(places)])).verdicts[0]).toMatchObject({ remaining: 18 })
  })

  it('a window opens anew after its time, and what belongs to the one before changes nothing', async () => {
    const k = key()
    const short = sum(k, { windowSeconds: 0.2, amount: 15 })
    const first = await state.take('one', [short])
    if (!first.ok) throw new Error('refused')
    await sleep(250)
    expect((await state.take('two', [short])).verdicts[0]).toMatchObject({ ok: true, remaining: 5 })
    await state.give([{ kind: 'sum', key: k, window: first.windows[0]!, change: -15 }])
    expect((await state.take('three', [short])).ok).toBe(false)
  })

  it('what was reserved too much is given back, and what was used beyond it counts', async () => {
    const k = key()
    const taken = await state.take('one', [sum(k, { amount: 15 })])
    if (!taken.ok) throw new Error('refused')
    const [window = 0] = taken.windows
    await state.give([{ kind: 'sum', key: k, window, change: -10 }])
    expect((await state.take('two', [sum(k)])).verdicts[0]).toMatchObject({ remaining: 14 })
    await state.give([{ kind: 'sum', key: k, window, change: 30 }])
    expect((await state.take('three', [sum(k)])).ok).toBe(false)
  })

  it('a lease is taken at most as often as there are places, and comes back when it is given', async () => {
    const k = key()
    const calls = ids(30)
    const all = await takeAll(calls, [lease(k, { limit: 4 })])
    expect(all.filter(each => each.ok)).toHaveLength(4)
    const runs = calls[all.findIndex(each => each.ok)]!
    expect((await state.take('late', [lease(k, { limit: 4 })])).ok).toBe(false)
    // Giving twice gives one place only; giving what was never taken gives none.
    for (const id of [runs, runs, 'nobody']) await state.give([{ kind: 'lease', key: k, id }])
    const again = await takeAll(ids(5), [lease(k, { limit: 4 })])
    expect(again.filter(each => each.ok)).toHaveLength(1)
  })

  it('what is known to be spent counts together with what runs, and only grows', async () => {
    const k = key()
    const want = (amount: number, seed: Want['seed'] = 'unknown') =>
      lease(k, { limit: 1_000, amount, seed })
    expect(await state.take('a', [want(1)])).toMatchObject({ ok: false, unseeded: [0] })
    expect((await state.take('a', [want(300, { used: 600, running: 0 })])).ok).toBe(true)
    expect((await state.take('b', [want(101)])).ok).toBe(false)
    expect((await state.take('b', [want(100)])).ok).toBe(true)
    await state.give([
      { kind: 'lease', key: k, id: 'a' },
      { kind: 'used', key: k, used: 650 },
    ])
    await state.give([{ kind: 'used', key: k, used: 20 }])
    expect((await state.take('c', [want(251)])).ok).toBe(false)
    expect((await state.take('c', [want(250)])).ok).toBe(true)
  })

  it('what ran before a key was known counts until it is known better', async () => {
    const k = key()
    const want = (amount: number, seed: Want['seed']) =>
      lease(k, { limit: 1_000, amount, seed, windowSeconds: 3_600 })
    expect((await state.take('a', [want(1, { used: 500, running: 500 })])).ok).toBe(false)
    expect((await state.take('a', [want(1, { used: 0, running: 0 })])).ok).toBe(false)
  })

  it('a renewed lease counts where it was lost, once, with its newest amount', async () => {
    const k = key()
    const renewed = { key: k, id: 'long', windowSeconds: 60 }
    await state.renew([{ ...renewed, amount: 5 }])
    await state.renew([{ ...renewed, amount: 8 }])
    expect((await state.take('a', [lease(k, { amount: 13 })])).ok).toBe(false)
    expect((await state.take('a', [lease(k, { amount: 12 })])).ok).toBe(true)
  })

  it('amounts stay exact up to what a balance can be', async () => {
    const k = key()
    const limit = Number.MAX_SAFE_INTEGER
    const want = (amount: number) => lease(k, { limit, amount, seed: { used: 0, running: 0 } })
    expect((await state.take('a', [want(limit - 1)])).ok).toBe(true)
    expect((await state.take('b', [want(2)])).ok).toBe(false)
    expect((await state.take('b', [want(1)])).verdicts[0]).toMatchObject({ ok: true, remaining: 0 })
  })
}

describe('limits in memory', () =>
  keepsTheLaws(() => openState({ redisUrl: undefined, log: quiet })))

describeInRedis('limits in Redis', redis => {
  const open = () => openState({ redisUrl: redis.url, log: quiet })

  keepsTheLaws(open)

  it('two nodes share every limit to the last place', async () => {
    const nodes = [await open(), await open()]
    const [k, places] = [key(), key()]
    const wants = [sum(k, { limit: 100 }), lease(places, { limit: 60 })]
    const all = await Promise.all(ids(300).map((id, at) => nodes[at % 2]!.take(id, wants)))
    expect(all.filter(each => each.ok)).toHaveLength(60)
    await Promise.all(nodes.map(each => each.close()))
  })

  it('away: limits hold in each process; back: they are shared again', async () => {
    const state = await open()
    const k = key()
    await state.take('one', [sum(k, { limit: 2 })])
    await redis.halt()
    const local = await Promise.all(ids(5).map(id => state.take(id, [sum(k, { limit: 2 })])))
    expect(local.filter(each => each.ok)).toHaveLength(2)
    await redis.start()
    const other = await open()
    const deadline = Date.now() + 60_000
    await other.remember('mark', 'shared', 60)
    while ((await state.recall('mark')) !== 'shared') {
      expect(Date.now()).toBeLessThan(deadline)
      await sleep(50)
    }
    const shared = await Promise.all(
      ids(6).map((id, at) => (at % 2 ? state : other).take(id, [sum(k, { limit: 3 })])),
    )
    expect(shared.filter(each => each.ok)).toHaveLength(3)
    await Promise.all([state.close(), other.close()])
  })
})
