import { expect, it } from 'vitest'
import { type BillingApp, onEachEngine } from '../../test/billing-app.ts'
import { priceCache } from './price-cache.ts'
import { builtInOwners, builtInPrices } from './prices/built-in.ts'
import { seedPrices } from './prices/seed.ts'
import { usageOf } from './usage.ts'

type OpenBillingApp = () => Promise<BillingApp>

const testLookup = (open: OpenBillingApp) => {
  it('the first start seeds the built-in prices, and a deleted price stays deleted', async () => {
    const { app } = await open()
    const count = async () => (await app.db.selectFrom('prices').select('model').execute()).length
    expect(await count()).toBe(builtInPrices().length)
    await app.db.deleteFrom('prices').where('model', '=', 'gpt-4o-mini').execute()
    await seedPrices(app)
    expect(await count()).toBe(builtInPrices().length - 1)
    expect(await app.db.selectFrom('owners').selectAll().orderBy('id').execute()).toEqual(
      builtInOwners(),
    )
  })

  it('published vendor prices give exact charges', async () => {
    const { app } = await open()
    const cost = (model: string, used: object) =>
      priceCache(app).find(model, 'default')?.cost(usageOf(used))
    // 1 USD is 500,000 points.
    expect(cost('gpt-4o', { input: 1_000_000 })).toBe(1_250_000)
    expect(cost('gpt-4o', { cacheRead: 1_000_000, output: 1_000_000 })).toBe(5_625_000)
    expect(
      cost('claude-sonnet-4-6', { cacheRead: 1e6, cacheWrite5m: 1e6, cacheWrite1h: 1e6 }),
    ).toBe(150_000 + 1_875_000 + 3_000_000)
    expect(cost('gemini-2.5-flash', { audioInput: 1_000_000 })).toBe(500_000)
    expect(cost('mj_imagine', {})).toBe(50_000)
  })

  it('find prefers the exact name, then the longest prefix, then returns nothing', async () => {
    const money = await open()
    for (const [model, input] of [
      ['x-*', '1'],
      ['x-large-*', '2'],
      ['x-large-1', '3'],
    ] as const)
      await money.price({ model, input })
    await priceCache(money.app).load()
    const input = (model: string) => priceCache(money.app).find(model, 'default')?.terms.input
    expect(['x-large-1', 'x-large-2', 'x-small', 'x-', 'x', 'unheard-of'].map(input)).toEqual([
      '3',
      '2',
      '1',
      '1',
      undefined,
      undefined,
    ])
    expect(priceCache(money.app).find('x-small', 'nobody')).toBeUndefined()
  })
}

const testChanges = (open: OpenBillingApp) => {
  it('the default price applies to models without a price while it is set', async () => {
    const money = await open()
    money.change(settings => {
      settings.money.DefaultPrice = '30'
    })
    const find = () => priceCache(money.app).find('unheard-of', 'default')
    await expect.poll(() => find()?.cost(usageOf({ output: 10 }))).toBe(300)
    money.reset()
    await expect.poll(find).toBeUndefined()
  })

  it('a change notification reloads prices, and equal terms share one version', async () => {
    const money = await open()
    const { app } = money
    const find = (group: string) => priceCache(app).find('y', group)
    await money.price({ model: 'y', input: '4' })
    await expect.poll(() => find('vip')?.terms.input).toBe('4')
    const first = find('vip')
    expect(find('default')?.priceId).toBe(first?.priceId)

    await app.db.transaction().execute(async tx => {
      await tx
        .updateTable('user_groups')
        .set({ ratio: '0.3' })
        .where('symbol', '=', 'vip')
        .execute()
      await app.changes.notify(tx, 'groups')
    })
    await expect.poll(() => find('vip')?.cost(usageOf({ input: 10 }))).toBe(12)
    expect(find('vip')?.priceId).not.toBe(first?.priceId)
    expect(find('default')?.priceId).toBe(first?.priceId)
    expect(first?.cost(usageOf({ input: 10 }))).toBe(40)

    const versions = await app.db.selectFrom('price_versions').select('hash').execute()
    await priceCache(app).load()
    expect(await app.db.selectFrom('price_versions').select('hash').execute()).toHaveLength(
      versions.length,
    )
  })

  it('an unreadable price is left out, and the others are loaded', async () => {
    const money = await open()
    await money.price({ model: 'broken', input: 'much' })
    await money.price({ model: 'whole', input: '1e-7' })
    await priceCache(money.app).load()
    expect(priceCache(money.app).find('broken', 'default')).toBeUndefined()
    expect(priceCache(money.app).find('whole', 'default')?.terms.input).toBe('0.0000001')
  })
}

const testPreparation = (open: OpenBillingApp) => {
  it('a change prepares the prices again that it concerns, and no others', async () => {
    const money = await open()
    const { app } = money
    const find = (model: string) => priceCache(app).find(model, 'default')
    const change = (topic: 'prices' | 'settings') =>
      app.db.transaction().execute(tx => app.changes.notify(tx, topic))
    await money.price({ model: 'changed', input: '4' })
    await money.price({ model: 'other', input: '5' })
    await priceCache(app).load()
    const [changed, other] = [find('changed'), find('other')]

    await app.db.updateTable('prices').set({ input: '6' }).where('model', '=', 'changed').execute()
    await change('prices')
    await app.changes.sync()
    expect(find('changed')?.terms).not.toBe(changed?.terms)
    expect(find('changed')?.cost(usageOf({ input: 10 }))).toBe(60)
    expect(find('other')?.terms).toBe(other?.terms)

    const unread = find('other')
    await change('settings')
    await app.changes.sync()
    expect(find('other')).toBe(unread)
    money.change(settings => {
      settings.site.QuotaPerUnit = 1000
    })
    await change('settings')
    await app.changes.sync()
    expect(find('other')).not.toBe(unread)
    expect(find('other')?.terms.tools).not.toEqual(unread?.terms.tools)
    money.reset()
  })
}

onEachEngine(open => {
  testLookup(open)
  testChanges(open)
  testPreparation(open)
})
