import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { onBothEngines, openTestApp, type TestApp } from '../../../test/harness.ts'
import { priceCache } from '../../billing/price-cache.ts'
import { startPriceSchedule } from '../../billing/prices/schedule.ts'

/** Two nodes on one database have one key. */
const masterKey = randomBytes(32).toString('base64')
const price = { type: 'tokens', channel_type: 1, input: 1, output: 2 }

let hub: TestApp
const inputOf = (model: string, of = hub) => priceCache(of.app).find(model, 'default')?.terms.input
const inSeconds = (seconds: number) => Math.floor(hub.clock.now / 1000) + seconds
const schedule = (models: string[], at: number, more: object = {}) =>
  hub.root.post('/api/prices/schedule', {
    models,
    at,
    price: { ...price, model: 'batch', ...more },
  })
const waiting = async () => (await hub.root.get('/api/prices/schedule')).body.data

const oneNodeTests = () => {
  it('a price becomes current at its moment, with no restart; what was admitted before keeps its own', async () => {
    const before = priceCache(hub.app).find('a', 'default')!
    const at = inSeconds(60)
    expect((await schedule(['a', 'b'], at, { input: 5 })).status).toBe(200)
    expect(await waiting()).toMatchObject([
      { model: 'a', at, price: { model: 'a', input: 5 } },
      { model: 'b', at, price: { model: 'b', input: 5 } },
    ])
    expect([inputOf('a'), inputOf('b')]).toEqual(['1', undefined])

    hub.clock.now += 59_000
    await new Promise(done => setTimeout(done, 700))
    expect([inputOf('a'), inputOf('b')]).toEqual(['1', undefined])

    hub.clock.now += 1_000
    await expect.poll(() => [inputOf('a'), inputOf('b')]).toEqual(['5', '5'])
    const after = priceCache(hub.app).find('a', 'default')!
    expect(after.priceId).not.toBe(before.priceId)
    expect(before.terms.input).toBe('1')
    expect(await waiting()).toEqual([])
    expect((await hub.root.get('/api/prices')).body.data).toContainEqual(
      expect.objectContaining({ model: 'b', input: 5 }),
    )
  })

  it('nothing looks at the clock before a price is scheduled, after the last one and after a stop', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { stop } = await startPriceSchedule(hub.app)
    onTestFinished(stop)
    // The schedule of the app counts with this one, since both hear of the price.
    expect(vi.getTimerCount()).toBe(0)
    const at = inSeconds(60)
    await schedule(['idle'], at)
    await expect.poll(() => vi.getTimerCount()).toBe(2)
    await hub.root.delete(`/api/prices/schedule?model=idle&at=${at}`)
    await expect.poll(() => vi.getTimerCount()).toBe(0)
    await schedule(['idle'], at)
    await expect.poll(() => vi.getTimerCount()).toBe(2)
    await stop()
    expect(vi.getTimerCount()).toBe(1)
    await hub.root.delete(`/api/prices/schedule?model=idle&at=${at}`)
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  })

  it('one that is taken back never comes, and one for the same moment replaces it', async () => {
    const at = inSeconds(10)
    await schedule(['c'], at, { input: 1 })
    await schedule(['c'], at, { input: 2 })
    await schedule(['d'], at)
    const gone = `/api/prices/schedule?model=d&at=${at}`
    expect((await hub.root.delete(gone)).status).toBe(200)
    expect((await hub.root.delete(gone)).status).toBe(404)
    hub.clock.now += 11_000
    await expect.poll(() => inputOf('c')).toBe('2')
    expect(inputOf('d')).toBeUndefined()
  })

  it('what came due together is applied in order: the last one stays', async () => {
    await schedule(['e'], inSeconds(20), { input: 20 })
    await schedule(['e'], inSeconds(10), { input: 10 })
    hub.clock.now += 30_000
    await expect.poll(() => inputOf('e')).toBe('20')
  })

  it('the past is refused', async () => {
    expect((await schedule(['f'], inSeconds(0))).status).toBe(400)
    expect((await schedule(['f'], inSeconds(-5))).status).toBe(400)
    const user = await hub.person(1)
    expect((await user.get('/api/prices/schedule')).status).toBe(403)
  })
}

const twoNodeTests = () => {
  it('of two nodes on one database both obey, whichever clock is first', async () => {
    const { databaseUrl } = hub.app.env
    if (!databaseUrl) {
      // An embedded database has one process: the other node is its next start, after the moment has passed.
      await schedule(['g'], inSeconds(5), { input: 7 })
      hub.clock.now += 6_000
      await expect.poll(() => inputOf('g')).toBe('7')
      return
    }
    const other = await openTestApp(databaseUrl, { MASTER_KEY: masterKey })
    other.clock.now = hub.clock.now
    await schedule(['g'], inSeconds(5), { input: 7 })
    expect([inputOf('g'), inputOf('g', other)]).toEqual([undefined, undefined])
    other.clock.now += 6_000
    await expect.poll(() => [inputOf('g'), inputOf('g', other)]).toEqual(['7', '7'])
    await other.close(1)
  })
}

onBothEngines('prices of tomorrow', open => {
  beforeAll(async () => {
    hub = await open({ MASTER_KEY: masterKey })
    await hub.root.post('/api/prices/single', { ...price, model: 'a' })
  })
  oneNodeTests()
  twoNodeTests()
})
