import { beforeAll, describe, expect, it } from 'vitest'
import { useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

type Lists = { openai: string[]; anthropic: string[]; gemini: string[] }

const listsOf = async (key: string): Promise<Lists> => {
  const read = async (path: string, headers: Record<string, string>) =>
    (await (await fetch(`${hub.url}${path}`, { headers })).json()) as never
  const openai: { data: { id: string }[] } = await read('/v1/models', {
    authorization: `Bearer ${key}`,
  })
  const anthropic: { data: { id: string }[] } = await read('/v1/models?limit=1000', {
    'x-api-key': key,
    'anthropic-version': '2023-06-01',
  })
  const gemini: { models: { name: string }[] } = await read('/v1beta/models?pageSize=1000', {
    'x-goog-api-key': key,
  })
  return {
    openai: openai.data.map(each => each.id).sort(),
    anthropic: anthropic.data.map(each => each.id),
    gemini: gemini.models.map(each => each.name.slice('models/'.length)),
  }
}
const equalLists = (names: string[]): Lists => ({ openai: names, anthropic: names, gemini: names })

const statusOf = async (model: string, key = hub.key) =>
  (await fetch(`${hub.url}/v1/models/${model}`, { headers: { authorization: `Bearer ${key}` } }))
    .status

beforeAll(async () => {
  const { root } = hub.app
  await root.post('/api/user_group/', { symbol: 'second', name: 'Second', ratio: 2, public: true })
  await hub.addChannel(1, 'a-priced')
  const channel = {
    type: 1,
    key: 'vendor-key',
    base_url: `${hub.upstream.url}/a`,
    group: 'default',
  }
  await root.post('/api/channel/', {
    ...{ ...channel, name: 'unpriced', models: 'b-unpriced,c-mapped,d-billed-as-unpriced' },
    model_mapping: '{"c-mapped":"a-priced","d-billed-as-unpriced":"nobody-priced-this"}',
  })
  await root.post('/api/channel/', { ...channel, name: 'off', models: 'e-disabled', status: 2 })
  await root.post('/api/prices/single', {
    model: 'e-disabled',
    type: 'tokens',
    input: 1,
    output: 1,
  })
  await hub.addChannel(1, 'f-second', { group: 'second' })
  await root.post('/api/channel/', {
    ...channel,
    type: 53,
    name: 'kling',
    models: 'kling-v1,kling-v9',
  })
})

describe('the model lists of every dialect', () => {
  it('name the models that have an enabled channel and a price in the group of the key', async () => {
    expect(await listsOf(hub.key)).toEqual(equalLists(['a-priced', 'c-mapped', 'kling-v1']))
  })

  it('leave out a model without a price until it has one', async () => {
    expect(await statusOf('b-unpriced')).toBe(404)
    const price = { model: 'b-unpriced', type: 'tokens', input: 1, output: 1 }
    await hub.app.root.post('/api/prices/single', price)
    expect(await statusOf('b-unpriced')).toBe(200)
    expect((await listsOf(hub.key)).openai).toContain('b-unpriced')
    await hub.app.root.delete('/api/prices/single/b-unpriced')
    expect(await statusOf('b-unpriced')).toBe(404)
  })

  it('name the models of the second group of a key at its price', async () => {
    const made = await hub.app.root.post('/api/token/', {
      ...{ name: 'two groups', group: 'default', backup_group: 'second' },
    })
    const { key } = made.body.data
    expect((await listsOf(key)).openai).toEqual(['a-priced', 'c-mapped', 'f-second', 'kling-v1'])
    const shown = await fetch(`${hub.url}/v1/models/f-second`, {
      headers: { authorization: `Bearer ${key}` },
    })
    // One input token at multiplier 1 and ratio 2.
    expect(await shown.json()).toMatchObject({ pricing: { prompt: '0.000004' } })
  })

  it('do not change when every channel of a model cools down', async () => {
    const before = await listsOf(hub.key)
    await hub.app.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: '600' })
    hub.upstream.play('a-priced', ({ response }) => {
      response.writeHead(429, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"slow down","type":"rate_limit"}}')
    })
    const call = { model: 'a-priced', messages: [{ role: 'user', content: 'hi' }] }
    for (let failures = 0; failures < 6; failures++)
      expect((await hub.post('/v1/chat/completions', call)).status).toBe(429)
    expect((await hub.app.root.get('/api/channel/1/routing')).body.data.cooldowns).toHaveLength(1)
    expect(await listsOf(hub.key)).toEqual(before)
  })

  it('name a virtual model while a candidate has a channel and a price', async () => {
    const virtual = (name: string, model: string) =>
      hub.app.root.post('/api/virtual_model/', { name, candidates: [{ model }] })
    expect((await virtual('v-priced', 'a-priced')).body.success).toBe(true)
    expect((await virtual('v-unpriced', 'b-unpriced')).body.success).toBe(true)
    const { openai } = await listsOf(hub.key)
    expect([openai.includes('v-priced'), openai.includes('v-unpriced')]).toEqual([true, false])
  })
})
