import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { priceCache } from '../../billing/price-cache.ts'
import { usageOf } from '../../billing/usage.ts'

const price = { model: 'acme/one', type: 'tokens', channel_type: 1, input: 0.15, output: 0.6 }

let hub: TestApp
const at = (model: string) => `/api/prices/single/${encodeURIComponent(model)}`

const addressTests = () => {
  it('a price counts from the moment its answer is given, and a deleted one no more', async () => {
    expect((await hub.root.post('/api/prices/single', price)).body.data).toEqual({
      ...price,
      locked: false,
      extra_ratios: null,
      tiers: null,
      tool_prices: null,
    })
    expect(priceCache(hub.app).find('acme/one', 'default')).toBeDefined()
    expect((await hub.root.delete(at('acme/one'))).status).toBe(200)
    expect(priceCache(hub.app).find('acme/one', 'default')).toBeUndefined()
    expect((await hub.root.delete(at('acme/one'))).status).toBe(404)
  })

  it('names with slashes and wildcards are read from the address as they are', async () => {
    for (const model of ['a/b/c', 'x/y*', 'with space', '模型', 'per%cent']) {
      expect((await hub.root.post('/api/prices/single', { ...price, model })).status, model).toBe(
        200,
      )
      const changed = await hub.root.put(at(model), { ...price, model, input: 3 })
      expect([model, changed.body.data?.input]).toEqual([model, 3])
      expect((await hub.root.delete(at(model))).status, model).toBe(200)
    }
    for (const model of ['*', 'a*b', '**'])
      expect((await hub.root.post('/api/prices/single', { ...price, model })).status, model).toBe(
        400,
      )
  })

  it('the list shows the ratios of tiers that the vendor documents, and a price its own', async () => {
    const model = 'gpt-6-astra'
    const extra_ratios = { tier_flex: 0.4 }
    await hub.root.put(at(model), { ...price, model, extra_ratios })
    const { body } = await hub.root.get('/api/prices/')
    const listed = body.data.find((each: { model: string }) => each.model === model)
    expect(listed.extra_ratios).toEqual({ tier_flex: 0.4, tier_ultrafast: 6 })
    const terms = priceCache(hub.app).find(model, 'default')?.terms
    expect(terms?.modes).toEqual({ tier_flex: '0.4', tier_ultrafast: '6' })
    expect((await hub.root.delete(at(model))).status).toBe(200)
  })

  it('renaming is refused onto a name that has a price', async () => {
    await hub.root.post('/api/prices/single', { ...price, model: 'first' })
    await hub.root.post('/api/prices/single', { ...price, model: 'second' })
    const onto = await hub.root.put(at('first'), { ...price, model: 'second' })
    expect(onto.body.code).toBe('resource.exists')
    expect((await hub.root.put(at('first'), { ...price, model: 'third' })).body.data.model).toBe(
      'third',
    )
    expect((await hub.root.put(at('first'), { ...price, model: 'first' })).status).toBe(404)
  })
}

const validationTests = () => {
  it('R28 what is no price is refused', async () => {
    for (const wrong of [
      { input: -1 },
      { input: 1e308 },
      { input: '1' },
      { output: null },
      { type: 'free' },
      { extra_ratios: { cached_tokens: -1 } },
      { extra_ratios: { unknown: 1 } },
      { tiers: [] },
      { tiers: [{ above: 0, input: 1, output: 1 }] },
      { tiers: [{ above: 10, input: -1, output: 1 }] },
      {
        tiers: [
          { above: 20, input: 1, output: 1 },
          { above: 10, input: 1, output: 1 },
        ],
      },
      { tool_prices: { 'no kind!': 1 } },
      { tool_prices: { web_search: -1 } },
    ])
      expect(
        (await hub.root.post('/api/prices/single', { ...price, model: 'wrong', ...wrong })).status,
        JSON.stringify(wrong),
      ).toBe(400)
    const unreadable = await hub.root.send(
      'POST',
      '/api/prices/single',
      '{"model":"x","input":NaN}',
      { headers: { 'content-type': 'application/json' } },
    )
    expect(unreadable.body.code).toBe('request.unreadable')
  })
}

const storedPriceTests = () => {
  it('small multipliers keep their digits', async () => {
    const tiny = {
      ...price,
      model: 'tiny',
      input: 1e-7,
      extra_ratios: { cached_tokens: 0.0000005 },
    }
    expect((await hub.root.post('/api/prices/single', tiny)).body.data).toMatchObject({
      input: 1e-7,
      extra_ratios: { cached_tokens: 5e-7 },
    })
    const row = await hub.app.db
      .selectFrom('prices')
      .selectAll()
      .where('model', '=', 'tiny')
      .executeTakeFirstOrThrow()
    expect([row.input, row.extra_ratios]).toEqual(['0.0000001', '{"cached_tokens":"0.0000005"}'])
  })

  it('tiers and prices of tools are kept as given, and charged by', async () => {
    const long = {
      ...price,
      model: 'long',
      input: 1,
      output: 1,
      tiers: [{ above: 1000, input: 2.5, output: 0.1 }],
      tool_prices: { web_search: 0.005 },
    }
    expect((await hub.root.post('/api/prices/single', long)).body.data).toMatchObject(long)
    const cost = (used: object) => priceCache(hub.app).find('long', 'default')!.cost(usageOf(used))
    expect(cost({ input: 1000, output: 10 })).toBe(1010)
    expect(cost({ input: 1001, output: 10 })).toBe(2504)
    expect(cost({ input: 1, tools: { web_search: 2 } })).toBe(5001)
  })

  it('the lists are open to all as long as the setting says so, and the built-in one is not empty', async () => {
    const guest = hub.guest()
    for (const type of ['db', 'default'])
      expect((await guest.get(`/api/prices?type=${type}`)).body.data.length).toBeGreaterThan(20)
    await hub.root.put('/api/option/', { key: 'PublicPricesEnabled', value: 'false' })
    const person = await hub.person()
    for (const path of ['/api/prices', '/api/available_model', '/api/pricing']) {
      const refused = await guest.get(path)
      expect([path, refused.status, refused.body.code]).toEqual([path, 401, 'session.missing'])
      expect([path, (await person.get(path)).status]).toEqual([path, 200])
    }
    await hub.root.put('/api/option/', { key: 'PublicPricesEnabled', value: 'true' })
    expect((await guest.get('/api/pricing')).status).toBe(200)
  })
}

onBothEngines('prices', open => {
  beforeAll(async () => {
    hub = await open()
  })
  addressTests()
  validationTests()
  storedPriceTests()
})
