import type { CallRoute } from '@hub/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { onBothEngines, type TestApp, type TestUser } from './harness.ts'

let hub: TestApp
let upstream: Upstream
let user: TestUser
let url: string
let key: string
let ids: Record<string, number>

type Fields = { priority?: number; models?: string; [field: string]: unknown }

const addChannel = async (name: string, { models = 'chat:*', ...fields }: Fields = {}) => {
  const made = await hub.root.post('/api/channel/', {
    ...{ type: 1, key: 'sk-vendor', group: 'default', name, models },
    ...{ base_url: `${upstream.url}/${name}`, ...fields },
  })
  ids[name] = made.body.data[0].id
}

const setOption = (name: string, value: number) =>
  hub.root.put('/api/option/', { key: name, value: String(value) })

const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]

const chat = async (model: string, more: object = {}) => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], ...more }),
  })
  await response.arrayBuffer()
  return response.status
}

/** The route of the newest call of a model, as an administrator reads it. */
const routeOf = async (model: string): Promise<CallRoute> => {
  await errorLog(hub.app).flush()
  const rows = await hub.root.get(`/api/log/?model_name=${model}&order=-id&size=1`)
  const { body } = await hub.root.get(`/api/log/${rows.body.data.data[0].id}/route`)
  return body.data
}

const passedOver = ({ passed_over }: CallRoute) =>
  Object.fromEntries(passed_over.map(each => [each.channel, each.reason]))

const answeredTests = () => {
  it('a call that the first channel answered says from how many it was drawn', async () => {
    expect(await chat('chat:plain')).toBe(200)
    const route = await routeOf('chat:plain')
    expect(route).toMatchObject({
      ...{ model: 'chat:plain', candidates: 4, priority: 9, drawn_from: 1, attempts: [], more: 0 },
      ...{ passed_over: [], served: { channel_id: ids.first, channel: 'first', after: 0 } },
    })
    expect(route.stop).toBeUndefined()
  })

  it('the row of an answered call has its phases in their order, for its user too', async () => {
    upstream.behave('first', 'status=500')
    for (const stream of [false, true]) {
      expect(await chat('chat:phases', { stream })).toBe(200)
      const { body } = await user.get('/api/log/self?model_name=chat:phases&size=1&order=-id')
      const { id, request_time, metadata } = body.data.data[0]
      const { sent, connected, head } = metadata.phases
      expect(metadata.path).toBe('/v1/chat/completions')
      const times = [0, sent, connected, head, metadata.first_response, request_time]
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      const { attempts } = (await hub.root.get(`/api/log/${id}/route`)).body.data
      const { after, milliseconds } = attempts[0]
      expect(sent).toBeGreaterThanOrEqual(after + milliseconds - 1)
    }
  })

  it('a call that another channel answered has the failed attempt and the channel that was passed over', async () => {
    upstream.behave('first', 'status=500;keywords=words-of-the-vendor')
    expect(await chat('chat:second', { tools })).toBe(200)
    const route = await routeOf('chat:second')
    expect(route.attempts).toMatchObject([
      { channel: 'first', code: 'upstream.failed', status: 500, after: expect.any(Number) },
    ])
    expect(route.attempts[0]?.detail).toContain('words-of-the-vendor')
    expect(route).toMatchObject({ priority: 5, drawn_from: 2, served: { channel: 'second' } })
    expect(route.served?.after).toBeGreaterThanOrEqual(route.attempts[0]!.after!)
    expect(passedOver(route)).toEqual({ textual: 'chat_only' })
  })

  it('a channel that cools down is passed over, with the rest of its cooldown', async () => {
    await setOption('RetryCooldownSeconds', 600)
    upstream.behave('first', 'status=429;retry-after=60')
    expect(await chat('chat:busy')).toBe(200)
    expect(await chat('chat:busy')).toBe(200)
    await setOption('RetryCooldownSeconds', 0)
    const route = await routeOf('chat:busy')
    expect(route.passed_over).toMatchObject([
      { channel: 'first', reason: 'cooling_down', priority: 9 },
    ])
    expect(route.passed_over[0]?.milliseconds).toBeGreaterThan(0)
    expect(route.passed_over[0]?.milliseconds).toBeLessThanOrEqual(60_000)
  })

  it('a call of a model that one channel lists needs no note', async () => {
    expect(await chat('lone:a')).toBe(200)
    expect(await routeOf('lone:a')).toMatchObject({
      ...{ candidates: 1, attempts: [], passed_over: [], served: { channel: 'lone' } },
    })
  })
}

const failedTests = () => {
  it('a failed call says why it stopped, and why every other channel was not asked', async () => {
    for (const name of ['first', 'second', 'textual']) upstream.behave(name, 'status=500')
    await setOption('RetryTimes', 1)
    expect(await chat('chat:down')).toBe(502)
    await setOption('RetryTimes', 3)
    const route = await routeOf('chat:down')
    expect(route).toMatchObject({ served: null, stop: 'retry_limit', candidates: 4 })
    expect(route.attempts).toHaveLength(2)
    const tried = new Set(route.attempts.map(each => each.channel))
    const other = ['second', 'textual'].find(each => !tried.has(each))!
    expect(passedOver(route)).toEqual({ [other]: 'not_drawn', last: 'lower_priority' })
  })

  it('a request that the vendor refuses is not sent to another channel', async () => {
    upstream.behave('first', 'status=400')
    expect(await chat('chat:refused')).toBe(400)
    expect(await routeOf('chat:refused')).toMatchObject({ stop: 'not_retryable', served: null })
  })

  it('no channel can serve a call: each has its reason', async () => {
    expect(await chat('text:a', { tools })).toBe(400)
    const route = await routeOf('text:a')
    expect(route).toMatchObject({ stop: 'no_candidate', attempts: [], served: null })
    expect(passedOver(route)).toEqual({ text: 'chat_only' })
  })

  it('a provider without the operation is passed over, and alone it is refused', async () => {
    const embed = async (model: string) => {
      const response = await fetch(`${url}/v1/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model, input: 'hi' }),
      })
      await response.arrayBuffer()
      return response.status
    }
    expect(await embed('vectors:a')).toBe(200)
    const route = await routeOf('vectors:a')
    expect(route).toMatchObject({ attempts: [], served: { channel: 'vectors' } })
    expect(passedOver(route)).toEqual({ messages: 'no_operation' })
    expect(await embed('messages:a')).toBe(501)
  })

  it('of many channels that were passed over twenty are listed, and a failed call counts the others', async () => {
    const keys = Array.from({ length: 22 }, (_, at) => `sk-${at}`)
    await addChannel('textuals', {
      ...{ models: 'crowd:*', priority: 9, only_chat: true, key: keys.join('\n') },
    })
    await addChannel('able', { models: 'crowd:*' })
    expect(await chat('crowd:a', { tools })).toBe(200)
    const answered = await routeOf('crowd:a')
    expect(answered).toMatchObject({ candidates: 23, more: 0, served: { channel: 'able' } })
    expect(answered.passed_over).toHaveLength(20)
    upstream.behave('able', 'status=500')
    expect(await chat('crowd:b', { tools })).toBe(502)
    const failed = await routeOf('crowd:b')
    expect(failed).toMatchObject({ candidates: 23, more: 2, served: null })
    expect(failed.passed_over).toHaveLength(20)
  })

  it('disabled channels that list the model are named', async () => {
    await addChannel('off', { models: 'lone:*' })
    await hub.root.put('/api/channel/', { id: ids.off, status: 2 })
    expect(await chat('lone:b')).toBe(200)
    expect((await routeOf('lone:b')).disabled).toEqual([
      { channel_id: ids.off, channel: 'off', status: 2 },
    ])
  })

  it('S26 users do not see how their calls were routed', async () => {
    upstream.behave('first', 'status=500')
    expect(await chat('chat:mine')).toBe(200)
    const [row] = (await user.get('/api/log/self?model_name=chat:mine')).body.data.data
    expect(row.metadata).not.toHaveProperty('route')
    expect(row.metadata).not.toHaveProperty('attempts')
    expect((await user.get(`/api/log/${row.id}/route`)).status).toBe(403)
    expect((await hub.root.get('/api/log/1/route')).status).toBe(404)
  })
}

onBothEngines('the route of a call', open => {
  beforeAll(async () => {
    ids = {}
    hub = await open()
    upstream = await startUpstream()
    url = `http://127.0.0.1:${await hub.listen()}`
    for (const model of ['chat:*', 'lone:*', 'text:*', 'vectors:*', 'messages:*', 'crowd:*'])
      await hub.root.post('/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
    await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
    await setOption('RetryCooldownSeconds', 0)
    await addChannel('first', { priority: 9 })
    await addChannel('second', { priority: 5 })
    await addChannel('textual', { priority: 5, only_chat: true })
    await addChannel('last')
    await addChannel('lone', { models: 'lone:*' })
    await addChannel('text', { models: 'text:*', only_chat: true })
    await addChannel('messages', { type: 14, models: 'vectors:*,messages:*', priority: 9 })
    await addChannel('vectors', { models: 'vectors:*' })
    user = await hub.person(1, { quota: 5_000_000 })
    const token = { name: 't', unlimited_quota: true, expired_time: -1 }
    key = (await user.post('/api/token/', token)).body.data.key
  })
  beforeEach(() => {
    for (const name of ['first', 'second', 'textual', 'last']) upstream.behave(name, '')
  })
  afterAll(() => upstream?.close())
  answeredTests()
  failedTests()
})
