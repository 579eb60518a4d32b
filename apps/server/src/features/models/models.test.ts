import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

const price = { type: 'tokens', channel_type: 1, input: 0.15, output: 0.6 }

onBothEngines('models', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
    const channel = { type: 1, name: 'c', key: 'sk-x', group: 'default' }
    const models = 'avail-1,avail-2,unpriced-model,by-call,avail-*'
    await hub.root.post('/api/channel/', { ...channel, models })
    await hub.root.post('/api/channel/', { ...channel, models: 'avail-vip', group: 'vip' })
    await hub.root.post('/api/prices/single', { ...price, model: 'avail-*' })
    await hub.root.post('/api/prices/single', {
      ...price,
      model: 'avail-2',
      input: 0.7,
      output: 0.07,
      extra_ratios: { cached_tokens: 0.5 },
    })
    await hub.root.post('/api/prices/single', {
      ...price,
      model: 'by-call',
      type: 'times',
      channel_type: 34,
      input: 20,
      output: 20,
    })
  })
  type Visitor = { get: TestApp['root']['get'] }
  const seenBy = async (visitor: Visitor) => (await visitor.get('/api/available_model')).body.data

  it('a model is available where an enabled channel offers it to a group of the visitor, and it has a price', async () => {
    const open = await seenBy(hub.guest())
    expect(open['avail-1']).toMatchObject({ groups: ['default'], price: { model: 'avail-*' } })
    expect(Object.keys(open)).toEqual(['avail-1', 'avail-2', 'by-call'])
    const vip = await hub.person(1, { group: 'vip' })
    expect((await seenBy(vip))['avail-vip']).toMatchObject({ groups: ['vip'], owned_by: 'OpenAI' })
  })

  it('a model of the shipped list has the figures of its vendor, and no other one', async () => {
    const channel = { type: 14, name: 'claude', key: 'sk-x', group: 'vip' }
    await hub.root.post('/api/channel/', { ...channel, models: 'claude-haiku-5-5' })
    const seen = await seenBy(await hub.person(1, { group: 'vip' }))
    expect(seen['claude-haiku-5-5'].vendor_info).toMatchObject({
      context_length: 1_000_000,
      output_modalities: ['text'],
    })
    expect(seen['avail-vip']).not.toHaveProperty('vendor_info')
  })

  it('a default price makes every offered model available, at that price', async () => {
    await hub.root.put('/api/option/', { key: 'DefaultPrice', value: '30' })
    await expect
      .poll(async () => (await seenBy(hub.guest()))['unpriced-model']?.price)
      .toMatchObject({ model: 'default', input: 30, output: 30 })
    await hub.root.put('/api/option/', { key: 'DefaultPrice', value: '' })
    await expect.poll(async () => (await seenBy(hub.guest()))['unpriced-model']).toBeUndefined()
  })

  it('clients of New API read the same models and prices in its shape', async () => {
    const { body } = await hub.guest().get('/api/pricing')
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['success', 'data', 'vendors', 'group_ratio', 'usable_group']),
    )
    const base = { vendor_id: 1, owner_by: 'OpenAI', enable_groups: ['default'] }
    expect(body.data).toMatchObject([
      { ...base, model_name: 'avail-1', quota_type: 0, model_ratio: 0.15, completion_ratio: 4 },
      { ...base, model_name: 'avail-2', model_ratio: 0.7, completion_ratio: 0.1, cache_ratio: 0.5 },
      { model_name: 'by-call', vendor_id: 34, quota_type: 1, model_price: 0.04, model_ratio: 0 },
    ])
    expect(body.data[0].supported_endpoint_types).toContain('openai')
    expect(body.supported_endpoint.openai).toEqual({ path: '/v1/chat/completions', method: 'POST' })
    expect(body.vendors.map((each: { id: number }) => each.id)).toEqual([1, 34])
    expect(body.group_ratio).toEqual({ default: 1 })
    expect(body.usable_group).toEqual({ default: 'Default' })
    const vip = await hub.person(1, { group: 'vip' })
    const own = (await vip.get('/api/pricing')).body
    expect(own.group_ratio).toEqual({ default: 1, vip: 1 })
    expect(own.data.map((each: { model_name: string }) => each.model_name)).toContain('avail-vip')
  })
})

onBothEngines('the page of prices', open => {
  it('the page names the ratio of cache reads that the models of an owner have by themselves', async () => {
    const hub = await open()
    await hub.root.post('/api/prices/single', { ...price, model: 'owned', channel_type: 14 })
    const channel = { type: 14, name: 'owned', key: 'sk-x', models: 'owned' }
    await hub.root.post('/api/channel/', channel)
    const { body } = await hub.guest().get('/api/pricing')
    const found = body.data.find((each: { model_name: string }) => each.model_name === 'owned')
    expect(found.cache_ratio).toBe(0.1)
  })
})
