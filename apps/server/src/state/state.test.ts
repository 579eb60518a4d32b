import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { until } from '../../../../test/harness/runner/until.ts'
import { describeInRedis } from '../../test/redis.ts'
import { silentLog } from '../../test/silent-log.ts'
import { openState, type State } from './index.ts'

let keys = 0
const key = () => `key-${keys++}`

/** Opens one state for all tests of a suite. */
const sharedState = (open: () => Promise<State>): (() => State) => {
  let state: State
  beforeAll(async () => {
    state = await open()
  })
  afterAll(() => state.close())
  return () => state
}

const sharedMessages = (open: () => Promise<State>) => {
  const listen = (state: State, topic: string) => {
    const received = new Map<string, number>()
    state.onShared(topic, (message, lifetimeMs) => void received.set(message, lifetimeMs))
    return received
  }

  it('a message reaches every node, also one that starts later, until it expires or is replaced', async () => {
    const topic = key()
    const [here, there] = [await open(), await open()]
    const early = listen(there, topic)
    const send = (id: string, message: string, lifetimeMs: number) =>
      here.share(topic, { id, message, lifetimeMs })
    // Subscribing takes a moment, so the first message is repeated until it arrives.
    await expect.poll(() => send('a', 'first', 60_000).then(() => early.get('first'))).toBe(60_000)
    await send('a', 'second', 60_000)
    await send('b', 'short', 1)
    const later = await open()
    const late = listen(later, topic)
    await expect.poll(() => [...late.keys()]).toEqual(['second'])
    expect(late.get('second')).toBeLessThanOrEqual(60_000)
    await Promise.all([here, there, later].map(each => each.close()))
  })
}

const counterSuite = (shared: () => State) => {
  it('a counter lets exactly its limit pass, however many ask at once', async () => {
    const k = key()
    const all = await Promise.all(Array.from({ length: 50 }, () => shared().count(k, 60, 20)))
    expect(all.filter(each => each.ok)).toHaveLength(20)
    const refused = await shared().count(k, 60, 20)
    expect(refused).toMatchObject({ ok: false, limit: 20, remaining: 0 })
    expect(refused.retryAfterSeconds).toBeGreaterThan(55)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it('a counter says how many are left, and begins anew after its window', async () => {
    const k = key()
    expect(await shared().count(k, 0.2, 2)).toMatchObject({
      ok: true,
      remaining: 1,
      retryAfterSeconds: 0,
    })
    expect(await shared().count(k, 0.2, 2)).toMatchObject({ ok: true, remaining: 0 })
    expect(await shared().count(k, 0.2, 2)).toMatchObject({ ok: false })
    await sleep(250)
    expect(await shared().count(k, 0.2, 2)).toMatchObject({ ok: true, remaining: 1 })
  })

  it('a bucket lets a burst of ten seconds pass and refills evenly', async () => {
    const k = key()
    const burst = await Promise.all(Array.from({ length: 150 }, () => shared().bucket(k, 600)))
    const passed = burst.filter(each => each.ok).length
    // 100 in the bucket; a slow machine may see a few refilled meanwhile.
    expect(passed).toBeGreaterThanOrEqual(100)
    expect(passed).toBeLessThan(110)
    const refused = burst.at(-1)!
    expect(refused).toMatchObject({ ok: false, limit: 600, remaining: 0, retryAfterSeconds: 1 })
    await sleep(500)
    const later = await Promise.all(Array.from({ length: 50 }, () => shared().bucket(k, 600)))
    const refilled = later.filter(each => each.ok).length
    expect(refilled).toBeGreaterThanOrEqual(4)
    expect(refilled).toBeLessThan(25)
  })
}

const valueSuite = (shared: () => State) => {
  it('keys and kinds of limits are independent', async () => {
    const k = key()
    await shared().count(k, 60, 1)
    expect(await shared().count(key(), 60, 1)).toMatchObject({ ok: true })
    expect(await shared().bucket(k, 600)).toMatchObject({ ok: true, remaining: 99 })
  })

  it('a remembered value is recalled until it expires or is forgotten', async () => {
    const k = key()
    expect(await shared().recall(k)).toBeUndefined()
    await shared().remember(k, 'one', 0.2)
    expect(await shared().recall(k)).toBe('one')
    await sleep(250)
    expect(await shared().recall(k)).toBeUndefined()
    await shared().remember(k, 'two', 60)
    await shared().remember(k, 'three', 60)
    expect(await shared().recall(k)).toBe('three')
    await shared().forget(k)
    expect(await shared().recall(k)).toBeUndefined()
  })

  it('a lock admits one holder at a time and is released, also when the work fails', async () => {
    const k = key()
    let inside = 0
    const work = async () => {
      inside++
      await sleep(30)
    }
    const all = await Promise.all([1, 2, 3].map(() => shared().lock(k, 10, work)))
    expect(all.filter(Boolean)).toHaveLength(1)
    expect(inside).toBe(1)
    const failing = shared().lock(k, 10, () => Promise.reject(new RangeError('on purpose')))
    await expect(failing).rejects.toThrow('on purpose')
    expect(await shared().lock(k, 10, work)).toBe(true)
  })
}

/** The contract of short-lived state; it runs on both implementations. */
const stateSuite = (open: () => Promise<State>) => {
  const shared = sharedState(open)
  counterSuite(shared)
  valueSuite(shared)
}

describe('state in memory', () =>
  stateSuite(() => openState({ redisUrl: undefined, log: silentLog })))

describeInRedis('state in Redis', redis => {
  const open = () => openState({ redisUrl: redis.url, log: silentLog })

  stateSuite(open)
  sharedMessages(open)

  it('two nodes share one limit and one lock', async () => {
    const [a, b] = [await open(), await open()]
    await a.count('shared', 60, 1)
    expect(await b.count('shared', 60, 1)).toMatchObject({ ok: false })
    const order: string[] = []
    const first = a.lock('shared', 10, async () => {
      order.push('a')
      await sleep(50)
    })
    await sleep(10)
    expect(await b.lock('shared', 10, async () => void order.push('b'))).toBe(false)
    expect(await first).toBe(true)
    expect(order).toEqual(['a'])
    await Promise.all([a.close(), b.close()])
  })

  it('a blocked process does not treat Redis as unavailable', async () => {
    const state = await open()
    for (let at = 0; at < 20; at++) expect(await state.count('still', 60, 20)).toBeTruthy()
    const pending = Promise.all(Array.from({ length: 10 }, () => state.count('still', 60, 20)))
    const blockedUntil = performance.now() + 3_000
    while (performance.now() < blockedUntil);
    expect((await pending).filter(each => each.ok)).toEqual([])
    await state.close()
  })

  it('one request waits for an unresponsive server, and the others count locally at once', async () => {
    const state = await open()
    await state.count('silent', 60, 100)
    redis.freeze()
    const start = performance.now()
    for (let at = 0; at < 50; at++) expect(await state.count('silent', 60, 100)).toBeTruthy()
    // Two of them waited a second each, or three on a machine that is very slow.
    expect(performance.now() - start).toBeLessThan(20_000)
    expect(await state.lock('silent', 10, async () => {})).toBe(true)
    redis.resume()
    await vi.waitFor(
      async () => expect((await state.count('silent', 60, 100)).remaining).toBeGreaterThan(60),
      { timeout: 60_000 },
    )
    await state.close()
  })

  it('without Redis limits are counted locally, and shared again when it is back', async () => {
    const state = await open()
    await state.count('away', 60, 2)
    await redis.kill()
    const start = performance.now()
    const local = await Promise.all([1, 2, 3].map(() => state.count('away', 60, 2)))
    expect(local.filter(each => each.ok)).toHaveLength(2)
    expect(performance.now() - start).toBeLessThan(5_000)
    let runs = 0
    expect(await state.lock('away', 10, async () => void runs++)).toBe(true)
    expect(runs).toBe(1)
    await redis.start()
    const other = await open()
    await other.remember('mark', 'shared', 60)
    await until('Redis is used again', async () => (await state.recall('mark')) === 'shared')
    await Promise.all([state.close(), other.close()])
  })
})
