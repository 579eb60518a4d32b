import { type ChannelCosts, type CostList, defaultCostList } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../../test/harness.ts'

let hub: TestApp
let id: number

const price = { model: 'bought', type: 'tokens', input: '8', output: '32', cached: '2' } as const
const list: CostList = { ...defaultCostList, base: 'none', currency: 'CNY', prices: [price] }

const add = async (more: object = {}) => {
  const channel = { type: 8, name: 'up', key: 'sk-secret', base_url: 'https://up.example' }
  const { body } = await hub.root.post('/api/channel/', { ...channel, models: 'm', ...more })
  return body.data[0].id as number
}
const read = async (of = id) =>
  (await hub.root.get(`/api/channel/${of}/costs`)).body.data as ChannelCosts
const put = (given: unknown, of = id) => hub.root.put(`/api/channel/${of}/costs`, { list: given })
const sell = (model: string, more: object = {}) =>
  hub.root.post('/api/prices/single', {
    ...{ model, type: 'tokens', channel_type: 1, input: 1, output: 4, ...more },
  })

const lists = () => {
  it('a channel without a list has the published prices at its vendor, and no known price elsewhere', async () => {
    const own = await add({ type: 1, base_url: '', models: 'gpt-4o' })
    const costs = await read(own)
    expect(costs).toMatchObject({ list: null, default_base: 'list', has_upstream: false })
    expect(costs.models).toMatchObject([{ model: 'gpt-4o', source: 'list', currency: 'USD' }])
    expect(costs.models[0]!.cost).toEqual({ input: '2.5', output: '10', cached: '1.25' })
    expect(await read()).toMatchObject({
      default_base: 'none',
      models: [{ source: 'unknown' }, {}],
    })
  })

  it('a list shows the terms of each model beside the price that users pay, in its own currency', async () => {
    await hub.root.put('/api/costs/rates', { currency: 'CNY', rate: '8' })
    await sell('sold')
    expect((await put(list)).status).toBe(200)
    expect((await read()).models).toEqual([
      {
        ...{ model: 'sold', upstream_model: 'bought', source: 'own', type: 'tokens' },
        ...{ currency: 'CNY', cost: { input: '8', output: '32', cached: '2' } },
        price: { input: '2', output: '8', cached: '2' },
        margin: { input: 50, output: 50, cached: 87.5 },
      },
      {
        ...{ model: 'other', upstream_model: 'other', source: 'unknown', type: null },
        ...{ currency: null, cost: null, price: null },
        margin: { input: null, output: null, cached: null },
      },
    ])
  })

  it('a price per call has one amount, and what costs more than it sells for has a negative margin', async () => {
    await sell('draw', { type: 'times', input: 10, output: 10 })
    const of = await add({ models: 'draw' })
    const prices = [{ model: 'draw', type: 'times', input: '0.03', output: '0' }]
    await put({ ...defaultCostList, prices }, of)
    const [model] = (await read(of)).models
    expect(model).toMatchObject({
      cost: { input: '0.03', output: null, cached: null },
      price: { input: '0.02', output: null, cached: null },
      margin: { input: -50, output: null, cached: null },
    })
  })

  it('margins are unknown where the rate of the currency is', async () => {
    await put({ ...list, currency: 'SEK' })
    expect((await read()).models[0]).toMatchObject({ currency: 'SEK', margin: { input: null } })
  })

  it('the history keeps every list with who wrote it and when, also within one second', async () => {
    const admin = await hub.person(10)
    const now = Math.floor(hub.clock.now / 1000)
    await admin.put(`/api/channel/${id}/costs`, { list: { ...list, factor: '0.5' } })
    await put(null)
    const { list: current, history } = await read()
    expect(current).toBeNull()
    expect(history.slice(0, 3).map(each => [each.list?.factor, each.created_by_name])).toEqual([
      [undefined, 'root'],
      ['0.5', admin.username],
      ['1', 'root'],
    ])
    expect(new Set(history.map(each => each.valid_from)).size).toBe(history.length)
    expect(history[0]!.valid_from - now).toBeLessThan(10)
  })

  it('the audit log has the list before and after', async () => {
    await put(list)
    const [row] = (await hub.root.get('/api/audit/?action=channels.setCosts&size=1')).body.data.data
    expect(row.target).toBe(String(id))
    expect(JSON.stringify(row)).toContain('"currency":"CNY"')
  })
}

const invalid: [string, object, string][] = [
  ['a base that does not exist', { base: 'guess' }, '`list.base`'],
  ['the list of an upstream that is no gateway', { base: 'upstream' }, '`list.base`: this channel'],
  ['a factor that is a number', { factor: 0.5 }, '`list.factor`'],
  ['a negative factor', { factor: '-1' }, '`list.factor`: must be a decimal number in text'],
  ['a currency of two letters', { currency: 'US' }, '`list.currency`'],
  ['an unknown field', { discount: '0.5' }, 'discount'],
  ['a price without a model', { prices: [{ ...price, model: '' }] }, '`list.prices.0.model`'],
  ['a star within a name', { prices: [{ ...price, model: 'a*b' }] }, '`list.prices.0.model`: may'],
  ['a model twice', { prices: [price, price] }, '`list.prices.1.model`: has a price already'],
  ['an unknown field of a price', { prices: [{ ...price, reasoning: '1' }] }, 'reasoning'],
  ['a cached price of a free input', { prices: [{ ...price, input: '0' }] }, '.cached`: must be 0'],
  [
    'tiers that do not ascend',
    {
      prices: [
        {
          ...price,
          long: [
            { above: 9, input: '1', output: '1' },
            { above: 9, input: '2', output: '2' },
          ],
        },
      ],
    },
    '`list.prices.0.long`: must ascend',
  ],
  [
    'an output price per call',
    { prices: [{ model: 'x', type: 'times', input: '1', output: '2' }] },
    '.output`: must be 0',
  ],
  [
    'a cached price per call',
    { prices: [{ model: 'x', type: 'times', input: '1', output: '0', cached: '1' }] },
    '.cached`: is not possible',
  ],
  [
    'a ratio of tokens per call',
    {
      prices: [
        { model: 'x', type: 'times', input: '1', output: '0', extra: { reasoning_tokens: '2' } },
      ],
    },
    '.extra`: may have modes only',
  ],
]

const refusals = () => {
  it.each(invalid)('%s is refused, with its field and the reason', async (_, change, words) => {
    const { status, body } = await put({ ...list, ...change })
    const isUnknown = body.code === 'request.unknown_field'
    expect([status, body.code]).toEqual(isUnknown ? [422, body.code] : [400, 'request.invalid'])
    expect(body.message).toContain(words)
  })

  it('a channel that does not exist has no costs', async () => {
    expect((await put(list, 999_999)).status).toBe(404)
    expect((await hub.root.get('/api/channel/999999/costs')).status).toBe(404)
  })
}

const alongside = () => {
  it('a copy has the list of its channel', async () => {
    const { body } = await hub.root.post(`/api/channel/${id}/copy`)
    expect((await read(body.data.id)).list).toEqual(list)
  })

  it('a channel that a new key adds to a tag has the list of the first one', async () => {
    const first = await add({ tag: 'bought' })
    await put(list, first)
    const response = await hub.root.put('/api/channel_tag/bought', { key: 'sk-second' })
    expect([response.status, response.body.data]).toEqual([200, 2])
    const { data } = (await hub.root.get('/api/channel/?order=-id&size=1')).body.data
    expect(data[0].id).toBeGreaterThan(first)
    expect((await read(data[0].id)).list).toEqual(list)
  })

  it('an exported file has the list, and an imported channel gets it', async () => {
    const file = JSON.parse((await hub.root.get(`/api/channel/export?ids=${id}`)).text)
    expect(file.channels[0].costs).toEqual(list)
    const importing = (channels: unknown[]) =>
      hub.root.post('/api/channel/import', { file: JSON.stringify({ ...file, channels }) })
    const { body } = await importing(file.channels)
    expect((await read(body.data.ids[0])).list).toEqual(list)
    const [channel] = file.channels
    const wrong = await importing([{ ...channel, costs: { ...list, factor: 'x' } }])
    expect(wrong.body.data[0]).toMatchObject({ field: 'costs', detail: 'factor' })
    const based = await importing([{ ...channel, costs: { ...list, base: 'upstream' } }])
    expect(based.body.data[0]).toMatchObject({ field: 'costs', reason: 'option_invalid' })
  })
}

const access = () => {
  it('no user reads a cost, and what users read of models and channels has none', async () => {
    const user = await hub.person()
    expect((await user.get(`/api/channel/${id}/costs`)).status).toBe(403)
    expect((await user.put(`/api/channel/${id}/costs`, { list })).status).toBe(403)
    expect((await hub.guest().get(`/api/channel/${id}/costs`)).status).toBe(401)
    for (const path of ['/api/channel/', `/api/channel/${id}`, '/api/channel/export'])
      expect([path, (await user.get(path)).status]).toEqual([path, 403])
    for (const path of ['/api/available_model', '/api/pricing', '/api/prices', '/api/models']) {
      const { text } = await user.get(path)
      expect([path, /cost|"factor"/.test(text)]).toEqual([path, false])
    }
  })

  it('the list of channels has no costs either, which stand at their own address', async () => {
    const { text } = await hub.root.get('/api/channel/')
    expect(/"costs?"|"factor"/.test(text)).toBe(false)
  })
}

onBothEngines('cost lists of channels', open => {
  beforeAll(async () => {
    hub = await open()
    const mapping = JSON.stringify({ sold: '+bought' })
    id = await add({ models: 'sold,other', model_mapping: mapping })
  })
  lists()
  refusals()
  alongside()
  access()
})
