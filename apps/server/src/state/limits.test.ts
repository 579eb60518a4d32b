import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../../test/harness/runner/until.ts'
import { describeInRedis } from '../../test/redis.ts'
import { silentLog } from '../../test/silent-log.ts'
import { type LimitRequest, openState, type State } from './index.ts'

let n = 0
const key = () => `limit-${n++}`
const ids = (count: number) => Array.from({ length: count }, (_, at) => `call-${n++}-${at}`)
const sum = (key: string, more: Partial<LimitRequest> = {}): LimitRequest => ({
  kind: 'sum',
  key,
  limit: 20,
  amount: 1,
  windowSeconds: 60,
  ...more,
})
const lease = (key: string, more: Partial<LimitRequest> = {}): LimitRequest => ({
  ...sum(key, more),
  kind: 'lease',
})

/** Opens one state for all tests of a suite. */
const sharedState = (open: () => Promise<State>): (() => State) => {
  let state: State
  beforeAll(async () => {
    state = await open()
  })
  afterAll(() => state.close())
  return () => state
}

const takeAll = (state: State, calls: string[], requests: LimitRequest[]) =>
  Promise.all(calls.map(id => state.take(id, requests)))

const sumSuite = (shared: () => State) => {
  it('a sum allows exactly its limit under concurrency, and reports the rest', async () => {
    const k = key()
    const all = await takeAll(shared(), ids(50), [sum(k)])
    expect(all.filter(each => each.ok)).toHaveLength(20)
    expect(all[0]!.statuses[0]).toMatchObject({ ok: true, limit: 20, remaining: 19 })
    const refused = await shared().take('late', [sum(k)])
    expect(refused).toMatchObject({ ok: false, refused: [0], unseeded: [] })
    const { retryAfterSeconds } = refused.statuses[0]!
    expect(retryAfterSeconds).toBeGreaterThan(50)
    expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it('takes all limits or none: a refusal by one limit counts at no other', async () => {
    const [wide, narrow, slots] = [key(), key(), key()]
    const requests = [sum(wide), lease(slots), sum(narrow, { limit: 1 })]
    expect((await shared().take('one', requests)).ok).toBe(true)
    expect(await shared().take('two', requests)).toMatchObject({ ok: false, refused: [2] })
    expect((await shared().take('three', [sum(wide)])).statuses[0]).toMatchObject({ remaining: 18 })
    expect((await shared().take('four', [lease(slots)])).statuses[0]).toMatchObject({
      remaining: 18,
    })
  })

  it('a new window opens after expiry, and corrections of the old window are ignored', async () => {
    const k = key()
    const short = sum(k, { windowSeconds: 0.2, amount: 15 })
    const first = await shared().take('one', [short])
    if (!first.ok) throw new Error('refused')
    await sleep(250)
    expect((await shared().take('two', [short])).statuses[0]).toMatchObject({
      ok: true,
      remaining: 5,
    })
    await shared().release([{ kind: 'sum', key: k, window: first.windows[0]!, change: -15 }])
    expect((await shared().take('three', [short])).ok).toBe(false)
  })

  it('an unused reservation is released, and usage beyond it counts', async () => {
    const k = key()
    const taken = await shared().take('one', [sum(k, { amount: 15 })])
    if (!taken.ok) throw new Error('refused')
    const [window = 0] = taken.windows
    await shared().release([{ kind: 'sum', key: k, window, change: -10 }])
    expect((await shared().take('two', [sum(k)])).statuses[0]).toMatchObject({ remaining: 14 })
    await shared().release([{ kind: 'sum', key: k, window, change: 30 }])
    expect((await shared().take('three', [sum(k)])).ok).toBe(false)
  })
}

const leaseSuite = (shared: () => State) => {
  it('at most `limit` leases exist at a time, and a released lease is available again', async () => {
    const k = key()
    const calls = ids(30)
    const all = await takeAll(shared(), calls, [lease(k, { limit: 4 })])
    expect(all.filter(each => each.ok)).toHaveLength(4)
    const runs = calls[all.findIndex(each => each.ok)]!
    expect((await shared().take('late', [lease(k, { limit: 4 })])).ok).toBe(false)
    // Releasing twice frees one lease only; releasing an unknown lease frees none.
    for (const id of [runs, runs, 'nobody']) await shared().release([{ kind: 'lease', key: k, id }])
    const again = await takeAll(shared(), ids(5), [lease(k, { limit: 4 })])
    expect(again.filter(each => each.ok)).toHaveLength(1)
  })

  it('known usage counts together with running leases, and only grows', async () => {
    const k = key()
    const want = (amount: number, seed: LimitRequest['seed'] = 'unknown') =>
      lease(k, { limit: 1_000, amount, seed })
    expect(await shared().take('a', [want(1)])).toMatchObject({ ok: false, unseeded: [0] })
    expect((await shared().take('a', [want(300, { used: 600, running: 0 })])).ok).toBe(true)
    expect((await shared().take('b', [want(101)])).ok).toBe(false)
    expect((await shared().take('b', [want(100)])).ok).toBe(true)
    await shared().release([
      { kind: 'lease', key: k, id: 'a' },
      { kind: 'used', key: k, used: 650 },
    ])
    await shared().release([{ kind: 'used', key: k, used: 20 }])
    expect((await shared().take('c', [want(251)])).ok).toBe(false)
    expect((await shared().take('c', [want(250)])).ok).toBe(true)
  })

  it('calls that ran before the key was seeded count as one lease', async () => {
    const k = key()
    const want = (amount: number, seed: LimitRequest['seed']) =>
      lease(k, { limit: 1_000, amount, seed, windowSeconds: 3_600 })
    expect((await shared().take('a', [want(1, { used: 500, running: 500 })])).ok).toBe(false)
    expect((await shared().take('a', [want(1, { used: 0, running: 0 })])).ok).toBe(false)
  })

  it('calls that renewed their lease before the key was seeded count once', async () => {
    const k = key()
    const seed = { used: 0, running: 700 }
    const want = (amount: number) => lease(k, { limit: 1_000, amount, seed, windowSeconds: 3_600 })
    await shared().renew([{ key: k, id: 'long', amount: 600, windowSeconds: 3_600 }])
    expect((await shared().take('a', [want(301)])).ok).toBe(false)
    expect((await shared().take('a', [want(300)])).ok).toBe(true)
  })

  it('renewing restores a lost lease once, with its latest amount', async () => {
    const k = key()
    const renewed = { key: k, id: 'long', windowSeconds: 60 }
    await shared().renew([{ ...renewed, amount: 5 }])
    await shared().renew([{ ...renewed, amount: 8 }])
    expect((await shared().take('a', [lease(k, { amount: 13 })])).ok).toBe(false)
    expect((await shared().take('a', [lease(k, { amount: 12 })])).ok).toBe(true)
  })

  it('amounts stay exact up to the largest balance', async () => {
    const k = key()
    const limit = Number.MAX_SAFE_INTEGER
    const want = (amount: number) => lease(k, { limit, amount, seed: { used: 0, running: 0 } })
    expect((await shared().take('a', [want(limit - 1)])).ok).toBe(true)
    expect((await shared().take('b', [want(2)])).ok).toBe(false)
    expect((await shared().take('b', [want(1)])).statuses[0]).toMatchObject({
      ok: true,
      remaining: 0,
    })
  })
}

/** The contract of limits; it runs on both implementations. */
const limitSuite = (open: () => Promise<State>) => {
  const shared = sharedState(open)
  sumSuite(shared)
  leaseSuite(shared)
}

describe('limits in memory', () =>
  limitSuite(() => openState({ redisUrl: undefined, log: silentLog })))

describeInRedis('limits in Redis', redis => {
  const open = () => openState({ redisUrl: redis.url, log: silentLog })

  limitSuite(open)

  it('two nodes share every limit exactly', async () => {
    const nodes = [await open(), await open()]
    const [k, slots] = [key(), key()]
    const requests = [sum(k, { limit: 100 }), lease(slots, { limit: 60 })]
    const all = await Promise.all(ids(300).map((id, at) => nodes[at % 2]!.take(id, requests)))
    expect(all.filter(each => each.ok)).toHaveLength(60)
    await Promise.all(nodes.map(each => each.close()))
  })

  it('a node uses what another node has stored at the same server, and reserves no ended call again', async () => {
    const nodes = [await open(), await open()]
    const k = key()
    const request = (seed: LimitRequest['seed']) => [lease(k, { seed })]
    const first = await nodes[0]!.take('one', request({ used: 5, running: 0 }))
    expect(first.statuses[0]).toMatchObject({ ok: true, remaining: 14 })
    expect(await nodes[1]!.take('two', request('unknown'))).toMatchObject({ ok: true })
    await nodes[0]!.release([{ kind: 'lease', key: k, id: 'one' }])
    // It was read while both calls were running.
    const late = await nodes[1]!.take('three', request({ used: 5, running: 2 }))
    expect(late.statuses[0]).toMatchObject({ ok: true, remaining: 13 })
    await Promise.all(nodes.map(each => each.close()))
  })

  it('without Redis each process enforces limits; afterwards they are shared again', async () => {
    const state = await open()
    const k = key()
    await state.take('one', [sum(k, { limit: 2 })])
    await redis.kill()
    const local = await Promise.all(ids(5).map(id => state.take(id, [sum(k, { limit: 2 })])))
    expect(local.filter(each => each.ok)).toHaveLength(2)
    await redis.start()
    const other = await open()
    await other.remember('mark', 'shared', 60)
    await until('Redis is used again', async () => (await state.recall('mark')) === 'shared')
    const shared = await Promise.all(
      ids(6).map((id, at) => (at % 2 ? state : other).take(id, [sum(k, { limit: 3 })])),
    )
    expect(shared.filter(each => each.ok)).toHaveLength(3)
    await Promise.all([state.close(), other.close()])
  })

  /** A window longer than any test, so that only a release makes room again. */
  const oneOf = (k: string, slots: string) => [
    sum(k, { limit: 1, windowSeconds: 3600 }),
    lease(slots, { limit: 1 }),
  ]

  it('what a slow server took for a call that no longer waited is given back', async () => {
    const [state, other] = [await open(), await open()]
    const requests = oneOf(key(), key())
    redis.freeze()
    expect((await state.take('late', requests)).ok).toBe(true)
    redis.resume()
    await expect.poll(async () => (await other.take('next', requests)).ok).toBe(true)
    await Promise.all([state.close(), other.close()])
  })

  it('a call that ends while the server is slow gives back what it took', async () => {
    const [state, other] = [await open(), await open()]
    const [k, slots] = [key(), key()]
    const taken = await other.take('ends', oneOf(k, slots))
    const window = taken.ok ? taken.windows[0]! : 0
    redis.freeze()
    await state.recall('slow')
    await state.release([
      { kind: 'sum', key: k, window, change: -1 },
      { kind: 'lease', key: slots, id: 'ends' },
    ])
    redis.resume()
    await expect.poll(async () => (await other.take('next', oneOf(k, slots))).ok).toBe(true)
    await Promise.all([state.close(), other.close()])
  })
})
