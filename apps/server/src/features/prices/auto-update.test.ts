import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { noticesOf, subscribe } from '../../../test/notices.ts'
import updatePrices from '../../jobs/update-prices.ts'

const price = (model: string, input: number) => ({
  ...{ model, type: 'tokens', channel_type: 1, input, output: input },
})

onBothEngines('automatic price updates', open => {
  let hub: TestApp
  let list: object[] = []
  let fetched = 0
  const source = createServer(keepAlive, (_request, response) => {
    fetched += 1
    response.end(JSON.stringify(list))
  })
  beforeAll(async () => {
    hub = await open()
    source.listen(0, '127.0.0.1')
    await once(source, 'listening')
    const { port } = source.address() as AddressInfo
    await set('UpdatePriceService', `http://127.0.0.1:${port}/`)
    await set('AutoPriceUpdateMode', 'update')
    for (const model of ['up-small', 'up-large', 'up-locked'])
      await hub.root.post('/api/prices/single', {
        ...price(model, 10),
        locked: model === 'up-locked',
      })
  })
  afterAll(() => source.close())
  const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
  const inputs = async () => {
    const { data } = (await hub.root.get('/api/prices/?type=db')).body
    const own = data.filter((each: { model: string }) => each.model.startsWith('up-'))
    return Object.fromEntries(
      own.map((each: { model: string; input: number }) => [each.model, each.input]),
    )
  }
  const notices = () => noticesOf(hub.root, 'site', 'price.waiting')
  const waiting = async () => (await hub.root.get('/api/prices/waiting')).body.data

  it('without an interval no list is fetched', async () => {
    await updatePrices.run(hub.app)
    expect([fetched, await waiting()]).toEqual([0, null])
  })

  it('small changes are applied, large ones wait, and locked prices stay', async () => {
    await subscribe(hub.root, 'site', ['price.waiting'])
    list = [price('up-small', 11), price('up-large', 100), price('up-locked', 11)]
    await set('AutoPriceUpdateMinutes', '60')
    await updatePrices.run(hub.app)
    expect(await inputs()).toEqual({ 'up-small': 11, 'up-large': 10, 'up-locked': 10 })
    expect(await waiting()).toMatchObject({ models: ['up-large'] })
  })

  it('changes that wait are notified once, however often they are found', async () => {
    hub.clock.now += 3_600_000
    await updatePrices.run(hub.app)
    expect(await notices()).toEqual([[1, 'A price change waits for approval']])
  })

  it('the next list is fetched when the interval is over, and not before', async () => {
    await set('AutoPriceUpdateApprovalPercent', '1000')
    await updatePrices.run(hub.app)
    expect([fetched, (await inputs())['up-large']]).toEqual([2, 10])
    hub.clock.now += 3_600_000
    await updatePrices.run(hub.app)
    expect([fetched, (await inputs())['up-large']]).toEqual([3, 100])
    expect(await waiting()).toBeNull()
  })

  it('a new price is added in the mode for it, and a removal waits', async () => {
    list = [price('up-small', 11), price('up-large', 100), price('up-new', 3)]
    await set('AutoPriceUpdateMode', 'add')
    hub.clock.now += 3_600_000
    await updatePrices.run(hub.app)
    expect((await inputs())['up-new']).toBe(3)
    list = [price('up-small', 11)]
    await set('AutoPriceUpdateMode', 'overwrite')
    hub.clock.now += 3_600_000
    await updatePrices.run(hub.app)
    expect((await inputs())['up-new']).toBe(3)
    expect((await waiting()).models).toContain('up-new')
  })
})

onBothEngines('automatic price updates without an address', open => {
  it('take the prices that this version ships', async () => {
    const hub = await open()
    const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
    await set('UpdatePriceService', '')
    await set('AutoPriceUpdateMinutes', '60')
    await hub.root.delete('/api/prices/single/gpt-5.6-sol')
    await updatePrices.run(hub.app)
    const { data } = (await hub.root.get('/api/prices/?type=db')).body
    const found = data.find((each: { model: string }) => each.model === 'gpt-5.6-sol')
    expect(found).toMatchObject({ input: 2, output: 10 })
  })
})
