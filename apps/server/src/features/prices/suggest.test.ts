import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'

onBothEnginesInLongRuns('suggested prices', open => {
  let hub: TestApp
  const list = createServer(keepAlive, (_request, response) => {
    response.end('[{"model":"only-listed","input":3,"output":6},{"model":"gpt-4o","input":9}]')
  })
  beforeAll(async () => {
    hub = await open()
    list.listen(0, '127.0.0.1')
    await once(list, 'listening')
    const value = `http://127.0.0.1:${(list.address() as AddressInfo).port}/prices.json`
    await hub.root.put('/api/option/', { key: 'UpdatePriceService', value })
  })
  afterAll(() => list.close())
  const suggest = async (models: string[], from_list = false) =>
    (await hub.root.post('/api/prices/suggest', { models, from_list })).body.data

  it('come from the shipped list, with source and date', async () => {
    await hub.root.delete('/api/prices/single/gpt-5.6-sol')
    expect(await suggest(['gpt-5.6-sol', 'gpt-4o'])).toMatchObject([
      {
        ...{ model: 'gpt-5.6-sol', has_price: false, origin: 'shipped', date: '2026-10-08' },
        source: 'https://developers.openai.com/api/docs/pricing',
        price: { input: 2, output: 10 },
      },
      { model: 'gpt-4o', has_price: true, origin: 'shipped' },
    ])
  })

  it('come from the list of the settings on demand, where the shipped one names no price', async () => {
    expect(await suggest(['only-listed'])).toMatchObject([{ price: null, origin: null }])
    expect(await suggest(['only-listed', 'gpt-4o'], true)).toMatchObject([
      {
        origin: 'list',
        price: { input: 3, output: 6 },
        source: expect.stringContaining('127.0.0.1'),
      },
      { origin: 'shipped' },
    ])
  })

  it('leave out models that have a price, if it is asked', async () => {
    await hub.root.delete('/api/prices/single/gpt-5.6-sol')
    const models = ['gpt-5.6-sol', 'gpt-4o']
    const { body } = await hub.root.post('/api/prices/suggest', { models, unpriced_only: true })
    expect(body.data).toMatchObject([{ model: 'gpt-5.6-sol', has_price: false }])
  })

  it('are missing with the reason that the shipped list gives', async () => {
    expect(await suggest(['coze-x', 'x1'])).toMatchObject([
      { price: null, note: '', has_price: false },
      { price: null, note: expect.stringContaining('packages'), has_price: false },
    ])
  })

  it('know a model that a prefix prices', async () => {
    await hub.root.post('/api/prices/single', {
      model: 'pre-*',
      type: 'tokens',
      input: 1,
      output: 1,
    })
    expect(await suggest(['pre-fix'])).toMatchObject([{ has_price: true, price: null }])
  })
})
