import { derivedSettings, settings } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { priceCache } from '../../billing/price-cache.ts'

onBothEnginesInLongRuns('settings', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })
  const put = async (key: string, value: unknown) =>
    (await hub.root.put('/api/option/', { key, value })).body

  it('every declared key is listed as text, and nothing else is', async () => {
    const { data } = (await hub.root.get('/api/option/')).body
    const keys = Object.values(settings).flatMap(section => Object.keys(section.shape))
    const derived = Object.keys(derivedSettings.ratios.shape)
    expect(data.map((row: { key: string }) => row.key).sort()).toEqual([...keys, ...derived].sort())
    for (const row of data) expect(typeof row.value).toBe('string')
  })

  it('a change is obeyed by the next answer', async () => {
    await put('SystemName', 'My Gateway')
    await put('Notice', 'Closed on **Sunday**')
    await put('DisplayInCurrencyEnabled', 'false')
    await put('QuotaPerUnit', '1000')
    expect((await hub.guest().get('/api/status')).body.data).toMatchObject({
      system_name: 'My Gateway',
      display_in_currency: false,
      quota_per_unit: 1000,
    })
    expect((await hub.guest().get('/api/notice')).body.data).toBe('Closed on **Sunday**')
  })

  it('a value that does not fit is refused, and the old one stays', async () => {
    await put('RetryTimes', '5')
    expect((await put('RetryTimes', '11')).code).toBe('setting.invalid')
    expect((await put('RetryTimes', 6)).code).toBe('request.invalid')
    expect((await put('NoSuchKey', 'x')).code).toBe('setting.unknown')
    expect((await put('__proto__', 'x')).code).toBe('setting.unknown')
    expect((await put('MasterKeyProbe', 'x')).code).toBe('setting.unknown')
    expect(hub.app.settings().retry.RetryTimes).toBe(5)
  })

  it("One Hub's GroupRatio and ExtraTokenPriceJson are written where they are obeyed", async () => {
    expect((await put('GroupRatio', '{"vip":0.5,"brand-new":2}')).success).toBe(true)
    const groups = (await hub.root.get('/api/user_group/?size=100')).body.data.data
    const ratioOf = (symbol: string) =>
      groups.find((group: { symbol: string }) => group.symbol === symbol)?.ratio
    expect([ratioOf('vip'), ratioOf('brand-new')]).toEqual([0.5, 2])
    await hub.root.post('/api/prices/single', {
      model: 'extra',
      type: 'tokens',
      input: 1,
      output: 1,
    })
    expect((await put('ExtraTokenPriceJson', '{"extra":{"cached_tokens":0.25}}')).success).toBe(
      true,
    )
    expect(priceCache(hub.app).find('extra', 'brand-new')).toBeDefined()
    const rows = (await hub.root.get('/api/option/')).body.data
    const textOf = (key: string) => rows.find((row: { key: string }) => row.key === key).value
    expect(textOf('ExtraTokenPriceJson').length).toBeLessThan(100_000)
    expect(JSON.parse(textOf('GroupRatio'))).toMatchObject({ vip: 0.5, 'brand-new': 2 })
    expect(JSON.parse(textOf('ExtraTokenPriceJson')).extra).toEqual({ cached_tokens: 0.25 })
    // The form sends the texts as it got them.
    for (const key of ['GroupRatio', 'ExtraTokenPriceJson'])
      expect((await put(key, textOf(key))).success, key).toBe(true)
    for (const wrong of ['not json', '[]', '{"vip":-1}', '{"vip":"1"}'])
      expect((await put('GroupRatio', wrong)).code, wrong).toBe('setting.invalid')
  })
})
