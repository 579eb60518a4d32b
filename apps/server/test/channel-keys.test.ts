import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import { onBothEngines, openTestApp, type TestApp } from './harness.ts'
import { answerJson, type Json } from './relay-hub.ts'

const token = `sk-${randomBytes(24).toString('hex')}`.slice(0, 46)
const environment = {
  MASTER_KEY: randomBytes(32).toString('base64'),
  INITIAL_ROOT_TOKEN: token,
}
const refusal = { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }
const tooMany = { error: { message: 'Rate limit reached.', type: 'rate_limit_error' } }

let hub: TestApp
let upstream: Upstream
let model: string
let models = 0
let id: number
/** The keys of the calls that reached the vendor, in order. */
const used: string[] = []
/** How the vendor answers a key instead of serving it. */
const refused = new Map<string, { status: number; body: object }>()

const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })

const answer = (turn: Turn) => {
  const key = turn.served.credential.replace('Bearer ', '')
  used.push(key)
  const { status, body } = refused.get(key) ?? { status: 200, body: completion }
  answerJson(turn, body, status)
}
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

/** A channel with the given keys for a model of its own. */
const addChannel = async (keys: string[], fields: object = {}) => {
  const added = await hub.root.post('/api/channel/', {
    ...{ type: 1, name: model, models: model, base_url: `${upstream.url}/a` },
    ...{ key: keys.join('\n'), key_mode: 'one_channel', ...fields },
  })
  expect(added.status, added.text).toBe(200)
  const price = { model, type: 'tokens', input: 1, output: 1 }
  await hub.root.post('/api/prices/single', price)
  return added.body.data as Json[]
}

const call = async (app = hub) => {
  const messages = [{ role: 'user', content: 'hi' }]
  const headers = { authorization: `Bearer ${token}` }
  const guest = app.guest({ headers })
  return (await guest.post('/v1/chat/completions', { model, messages })).status
}
const calls = async (times: number, app = hub) => {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push(await call(app))
  return statuses
}
const states = async () =>
  ((await hub.root.get(`/api/channel/${id}/keys`)).body.data as Json[]).map(each => each.status)
const keysOf = async () => (await hub.root.get(`/api/channel/${id}/keys`)).body.data as Json[]
const channel = async () => (await hub.root.get(`/api/channel/${id}`)).body.data
const logs = async (query = '') =>
  (await hub.root.get(`/api/log/?model_name=${model}${query}`)).body.data.data as Json[]

const begin = async (open: (more: Record<string, string>) => Promise<TestApp>) => {
  upstream = await startUpstream()
  hub = await open(environment)
  await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
  await set('RetryTimes', '3')
}
const prepare = async () => {
  models += 1
  model = `m${models}`
  upstream.play(model, answer)
  refused.clear()
  used.length = 0
  await set('AutomaticDisableChannelEnabled', 'false')
}

const rotationTests = () => {
  it('several keys make one channel, which is found by each of them and never shows one', async () => {
    const [one, ...more] = await addChannel(['sk-a-canary', 'sk-b-canary'])
    id = one.id
    expect([more, one.key_count, one.disabled_key_count]).toEqual([[], 2, 0])
    for (const key of ['sk-a-canary', 'sk-b-canary'])
      expect((await hub.root.get(`/api/channel/?key=${key}`)).body.data.total_count).toBe(1)
    const list = await hub.root.get(`/api/channel/${id}/keys`)
    expect(list.text).not.toContain('canary')
    expect(list.body.data.map((each: Json) => [each.index, each.status])).toEqual([
      [1, 1],
      [2, 1],
    ])
    const stored = hub.app.db.selectFrom('channel_keys').selectAll().where('channel_id', '=', id)
    expect(JSON.stringify(await stored.execute())).not.toContain('canary')
  })

  it('keys take turns, or are drawn at random', async () => {
    const [turns] = await addChannel(['sk-a', 'sk-b', 'sk-c'], { key_rotation: 'round_robin' })
    expect(turns.key_rotation).toBe('round_robin')
    expect(await calls(6)).toEqual(Array(6).fill(200))
    expect(used).toEqual(['sk-a', 'sk-b', 'sk-c', 'sk-a', 'sk-b', 'sk-c'])
    await hub.root.put('/api/channel/', { id: turns.id, key_rotation: 'random' })
    await calls(40)
    expect(new Set(used.slice(6)).size).toBe(3)
  })

  it('the log row of a call names the key that served it, for administrators only', async () => {
    id = (await addChannel(['sk-a', 'sk-b'], { key_rotation: 'round_robin' }))[0].id
    await calls(2)
    const keys = await keysOf()
    const rows = (await logs('&log_type=2')).map(each => each.metadata.channel_key)
    expect(rows).toEqual([1, 0].map(at => ({ index: at + 1, fingerprint: keys[at].fingerprint })))
    const own = await hub.root.get(`/api/log/self?model_name=${model}`)
    expect(own.text).not.toContain('channel_key')
  })
}

const healthTests = () => {
  it('a call whose key is refused or busy is served by another key of the channel', async () => {
    await addChannel(['sk-a', 'sk-b', 'sk-c'], { key_rotation: 'round_robin' })
    refused.set('sk-a', { status: 401, body: refusal })
    refused.set('sk-b', { status: 429, body: tooMany })
    expect(await call()).toBe(200)
    expect(used).toEqual(['sk-a', 'sk-b', 'sk-c'])
    expect(await calls(4)).toEqual(Array(4).fill(200))
    expect(used.filter(each => each === 'sk-a')).toHaveLength(1)
  })

  it('a refused key is disabled alone, with reason and time, and its channel serves on', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    id = (await addChannel(['sk-a', 'sk-b'], { key_rotation: 'round_robin' }))[0].id
    refused.set('sk-a', { status: 401, body: refusal })
    expect(await call()).toBe(200)
    await expect.poll(states).toEqual([3, 1])
    const [dead] = await keysOf()
    expect(dead.reason).toBe('failure: Incorrect API key provided.')
    expect(dead.changed_at).toBe(Math.floor(hub.clock.now / 1_000))
    expect(await channel()).toMatchObject({ status: 1, disabled_key_count: 1 })
    refused.clear()
    used.length = 0
    expect(await calls(4)).toEqual(Array(4).fill(200))
    expect(used).toEqual(Array(4).fill('sk-b'))
    const { fingerprint } = dead
    await hub.root.put(`/api/channel/${id}/keys/${fingerprint}`, { status: 1 })
    await expect.poll(() => calls(2).then(() => used.includes('sk-a'))).toBe(true)
    const audit = await hub.root.get('/api/audit/?size=100')
    expect(audit.text).toContain('channels.disable-key')
  })

  it('a channel of which every key is refused is disabled, and enabled with those keys', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    id = (await addChannel(['sk-a', 'sk-b', 'sk-c']))[0].id
    const [first] = await keysOf()
    await hub.root.put(`/api/channel/${id}/keys/${first.fingerprint}`, { status: 2 })
    for (const key of ['sk-a', 'sk-b', 'sk-c']) refused.set(key, { status: 401, body: refusal })
    expect(await call()).toBe(502)
    await expect.poll(async () => (await channel()).status).toBe(3)
    expect((await channel()).status_reason).toBe('failure: Incorrect API key provided.')
    expect(await states()).toEqual([2, 3, 3])
    refused.clear()
    await hub.root.put('/api/channel/', { id, status: 1 })
    expect(await states()).toEqual([2, 1, 1])
    await expect.poll(() => call()).toBe(200)
  })

  it('a test goes on to the next key, and one key can be tested alone', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    id = (await addChannel(['sk-a', 'sk-b']))[0].id
    refused.set('sk-a', { status: 401, body: refusal })
    const [a, b] = await keysOf()
    expect((await hub.root.post(`/api/channel/test/${id}`)).body.success).toBe(true)
    expect([used, await states()]).toEqual([
      ['sk-a', 'sk-b'],
      [3, 1],
    ])
    const test = (key: Json) =>
      hub.root.post(`/api/channel/test/${id}`, { fingerprint: key.fingerprint })
    expect((await test(a)).body.code).toBe('channel.test_failed')
    expect((await test(b)).body.success).toBe(true)
    expect(used.slice(2)).toEqual(['sk-a', 'sk-b'])
  })
}

const editingTests = () => {
  it('keys are added and removed singly, known ones keep their state, and one must stay enabled', async () => {
    id = (await addChannel(['sk-a', 'sk-b']))[0].id
    const [a, b] = await keysOf()
    const path = `/api/channel/${id}/keys`
    await hub.root.put(`${path}/${a.fingerprint}`, { status: 2 })
    const added = await hub.root.post(path, { key: 'sk-a\nsk-c' })
    expect(added.body.data.map((each: Json) => each.status)).toEqual([2, 1, 1])
    await hub.root.delete(`${path}/${b.fingerprint}`)
    expect(await states()).toEqual([2, 1])
    const [, c] = await keysOf()
    const last = await hub.root.put(`${path}/${c.fingerprint}`, { status: 2 })
    expect(last.body.code).toBe('request.invalid')
    expect((await hub.root.delete(`${path}/${c.fingerprint}`)).status).toBe(400)
    expect(await states()).toEqual([2, 1])
    expect((await hub.root.delete(`${path}/000000000000`)).status).toBe(404)
    expect(await calls(3)).toEqual(Array(3).fill(200))
    expect(new Set(used)).toEqual(new Set(['sk-c']))
  })

  it('a deleted channel leaves no row of its keys, and replaced keys start enabled', async () => {
    id = (await addChannel(['sk-a', 'sk-b']))[0].id
    const [a] = await keysOf()
    await hub.root.put(`/api/channel/${id}/keys/${a.fingerprint}`, { status: 2 })
    await hub.root.put('/api/channel/', { id, key: 'sk-a\nsk-x' })
    expect(await states()).toEqual([1, 1])
    await hub.root.delete(`/api/channel/${id}`)
    const rows = hub.app.db.selectFrom('channel_keys').selectAll().where('channel_id', '=', id)
    expect(await rows.execute()).toEqual([])
  })

  it('another node uses no key that this one disabled', async () => {
    const { databaseUrl } = hub.app.env
    if (!databaseUrl) return
    const other = await openTestApp(databaseUrl, environment)
    await set('AutomaticDisableChannelEnabled', 'true')
    id = (await addChannel(['sk-a', 'sk-b'], { key_rotation: 'round_robin' }))[0].id
    await expect.poll(() => call(other)).toBe(200)
    refused.set('sk-a', { status: 401, body: refusal })
    expect(await calls(2)).toEqual([200, 200])
    await expect.poll(states).toEqual([3, 1])
    refused.clear()
    await expect
      .poll(async () => {
        used.length = 0
        await calls(4, other)
        return used.includes('sk-a')
      })
      .toBe(false)
    await other.close(1)
  })
}

onBothEngines('the keys of one channel', open => {
  beforeAll(() => begin(open))
  afterAll(() => upstream?.close())
  beforeEach(prepare)
  rotationTests()
  healthTests()
  editingTests()
})
