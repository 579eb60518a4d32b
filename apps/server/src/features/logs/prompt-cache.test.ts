import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallCache, Log, SessionCache } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
let vendor: Server
let url: string
let user: TestUser
let other: TestUser

/** The usage of the next answer. */
let usage: object = {}

const startVendor = async (): Promise<string> => {
  vendor = createServer((request, response) => {
    request.resume().on('end', () => {
      const isClaude = request.url!.includes('messages')
      const message = { role: 'assistant', content: 'Hello.' }
      const answer = isClaude
        ? {
            ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'c' },
            ...{ content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn', usage },
          }
        : {
            ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
            ...{ choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
          }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  })
  await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
}

const keys = new Map<TestUser, string>()
const keyOf = async (owner: TestUser): Promise<string> => {
  const fields = { name: 'agent', unlimited_quota: true, expired_time: -1 }
  const key = keys.get(owner) ?? (await owner.post('/api/token/', fields)).body.data.key
  keys.set(owner, key)
  return key
}

type Sent = { owner?: TestUser; model?: string; session?: string | undefined }

/** Sends a chat whose answer reports the usage, ten seconds after the one before. */
const call = async (reported: object, { owner = user, model = 'm', session }: Sent) => {
  usage = reported
  hub.clock.now += 10_000
  const isClaude = model === 'c'
  const response = await fetch(`${url}/v1/${isClaude ? 'messages' : 'chat/completions'}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${await keyOf(owner)}` },
      ...(session !== undefined && { 'x-session-id': session }),
    },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect([await response.text(), response.status]).toEqual([expect.anything(), 200])
  const rows: Log[] = (await owner.get('/api/log/self?size=1')).body.data.data
  return rows[0]!
}

const chat = (prompt_tokens: number, cached_tokens?: number) => ({
  ...{ prompt_tokens, completion_tokens: 1, total_tokens: prompt_tokens + 1 },
  ...(cached_tokens !== undefined && { prompt_tokens_details: { cached_tokens } }),
})
const claude = (input_tokens: number, read: number, written: number) => ({
  ...{ input_tokens, output_tokens: 1 },
  ...{ cache_read_input_tokens: read, cache_creation_input_tokens: written },
})

const cacheOf = async (who: TestUser, id: number): Promise<CallCache> =>
  (await who.get(`/api/log/${id}/cache`)).body.data
const sumOf = async (who: Pick<TestUser, 'get'>, query: string): Promise<SessionCache> =>
  (await who.get(`/api/log/${query}`)).body.data

/** Points for a fresh token of both models: the group has a ratio of 1. */
const input = 100

const rowTests = () => {
  it('a row of a session has the prices by which a miss is counted, and no other row has', async () => {
    const pricesOf = async (reported: object, sent: Sent) =>
      (await call(reported, sent)).metadata.cache_prices
    const session = 'prices'
    expect({
      'nothing read': await pricesOf(chat(2_000, 0), { session }),
      'a part read': await pricesOf(chat(2_000, 900), { session }),
      'no count': await pricesOf(chat(2_000), { session }),
      'no session': await pricesOf(chat(2_000, 0), {}),
      'a price without a cache': await pricesOf(chat(2_000, 0), { session, model: 'plain' }),
      'a price per call': await pricesOf(chat(2_000, 0), { session, model: 'times' }),
      'a long prompt': await pricesOf(chat(20_000, 0), { session, model: 'tiers' }),
      'Claude that wrote': await pricesOf(claude(9, 0, 2_000), { session, model: 'c' }),
      'Claude without marks': await pricesOf(claude(2_000, 0, 0), { session, model: 'c' }),
    }).toEqual({
      'nothing read': [input, input / 4],
      'a part read': [input, input / 4],
      'a long prompt': [input * 2, input / 2],
      'Claude that wrote': [input, input / 10],
    })
  })
}

const figureTests = () => {
  it('each call of a session has what its prompt missed, and the session the sums', async () => {
    const session = 'openai'
    const first = await call(chat(4_000, 0), { session })
    const hit = await call(chat(6_000, 3_968), { session })
    const miss = await call(chat(7_000, 2_000), { session })
    const own = { written_tokens: 0, hit_rate: 0, miss: null }
    expect(await cacheOf(user, first.id)).toEqual({ ...own, prompt_tokens: 4_000, read_tokens: 0 })
    expect((await cacheOf(user, hit.id)).miss).toEqual({ expected: 4_000, tokens: 0, points: 0 })
    const points = 4_000 * (input - input / 4)
    expect(await cacheOf(user, miss.id)).toEqual({
      ...{ prompt_tokens: 7_000, read_tokens: 2_000, written_tokens: 0, hit_rate: 2 / 7 },
      miss: { expected: 6_000, tokens: 4_000, points },
    })
    // The charge is the proof: out of the cache the same call costs so much less.
    const asExpected = await call(chat(7_000, 6_000), { session: 'another' })
    expect(miss.quota - asExpected.quota).toBe(points)
    expect(await sumOf(user, `self/session_cache?session=${session}`)).toEqual({
      ...{ calls: 3, prompt_tokens: 17_000, read_tokens: 5_968, written_tokens: 0, complete: true },
      hit_rate: 5_968 / 17_000,
      misses: { expecting: 2, calls: 1, tokens: 4_000, points },
    })
    const listed = (await user.get('/api/log/self/sessions')).body.data.data
    expect(listed.find((each: { key: string }) => each.key === session)).toMatchObject({
      ...{ read_tokens: 5_968, written_tokens: 0 },
    })
  })

  it('a prompt that is written again missed the difference of writing and reading', async () => {
    const session = 'claude'
    await call(claude(10, 0, 5_000), { session, model: 'c' })
    const again = await call(claude(10, 0, 6_000), { session, model: 'c' })
    const points = 5_010 * (input * 1.25 - input / 10)
    expect(await cacheOf(user, again.id)).toEqual({
      ...{ prompt_tokens: 6_010, read_tokens: 0, written_tokens: 6_000, hit_rate: 0 },
      miss: { expected: 5_010, tokens: 5_010, points },
    })
  })

  it('another model, another session and an expired cache expect nothing', async () => {
    const session = 'apart'
    await call(chat(4_000, 0), { session })
    const calls = [
      await call(chat(4_000, 0), { session, model: 'tiers' }),
      await call(chat(4_000, 0), { session: 'apart-2' }),
    ]
    hub.clock.now += 300_000
    calls.push(await call(chat(4_000, 0), { session }))
    for (const { id } of calls) expect((await cacheOf(user, id)).miss).toBeNull()
    const { misses } = await sumOf(user, `self/session_cache?session=${session}`)
    expect(misses).toBeNull()
  })

  it('a vendor that says nothing of a cache has no hit rate', async () => {
    const session = 'silent'
    await call(chat(4_000), { session })
    const { id } = await call(chat(5_000), { session })
    expect(await cacheOf(user, id)).toMatchObject({ hit_rate: null, miss: null })
    const none = { hit_rate: null, misses: null, calls: 2 }
    expect(await sumOf(user, `self/session_cache?session=${session}`)).toMatchObject(none)
  })
}

const ownerTests = () => {
  it('S26 a user sees what was cached of their own calls alone', async () => {
    const session = 'both'
    await call(chat(4_000, 0), { session })
    await call(chat(9_000, 0), { session, owner: other })
    const theirs = await call(chat(9_000, 8_960), { session, owner: other })
    expect(await sumOf(user, `self/session_cache?session=${session}`)).toMatchObject({
      ...{ calls: 1, prompt_tokens: 4_000, misses: null },
    })
    expect((await user.get(`/api/log/${theirs.id}/cache`)).status).toBe(404)
    expect((await user.get(`/api/log/session_cache?session=${session}`)).status).toBe(403)
    const ofOther = `session_cache?session=${session}&username=${other.username}`
    expect(await sumOf(hub.root, ofOther)).toMatchObject({ calls: 2, prompt_tokens: 18_000 })
    // The prompt of one user is not expected in the cache of another's.
    expect(await sumOf(hub.root, `session_cache?session=${session}`)).toMatchObject({
      ...{ calls: 3, misses: { expecting: 1, calls: 0, tokens: 0, points: 0 } },
    })
    expect(await sumOf(hub.root, `session_cache?session=${session}&username=nobody`)).toMatchObject(
      { calls: 0, hit_rate: null, misses: null },
    )
  })

  it('a session of more than 10,000 calls has sums of the newest', async () => {
    const many = await hub.person(1)
    const at = Math.floor(hub.clock.now / 1_000)
    const rows = Array.from({ length: 10_001 }, (_, n) => ({
      ...{ id: hub.app.ledger.nextId(), user_id: many.id, created_at: at - n, type: 2 },
      ...{ content: '', username: 'u', token_name: 't', model_name: 'm', quota: 9_000 },
      ...{ prompt_tokens: 2_000, completion_tokens: 1, channel_id: 0, request_time: 0 },
      ...{ is_stream: 0, source_ip: '' },
      metadata: JSON.stringify({ session: 'long', cache_prices: [2, 0.5] }),
    }))
    for (let from = 0; from < rows.length; from += 500)
      await hub.app.db
        .insertInto('logs')
        .values(rows.slice(from, from + 500))
        .execute()
    expect(await sumOf(many, 'self/session_cache?session=long')).toEqual({
      ...{ calls: 10_000, prompt_tokens: 20_000_000, read_tokens: 0, written_tokens: 0 },
      ...{ hit_rate: 0, complete: false },
      misses: { expecting: 9_999, calls: 9_999, tokens: 19_998_000, points: 29_997_000 },
    })
  })
}

onBothEngines('prompt caches of calls and sessions', open => {
  beforeAll(async () => {
    hub = await open()
    keys.clear()
    const base_url = await startVendor()
    url = `http://127.0.0.1:${await hub.listen()}`
    const channel = { key: 'sk-vendor', group: 'default', base_url }
    const models = 'm,plain,times,tiers'
    await hub.root.post('/api/channel/', { ...channel, type: 1, name: 'a', models })
    await hub.root.post('/api/channel/', { ...channel, type: 14, name: 'b', models: 'c' })
    const price = { type: 'tokens', input, output: 100, channel_type: 1 }
    const cached = { ...price, extra_ratios: { cached_tokens: 0.25 } }
    const tiers = [{ above: 10_000, input: 200, output: 100 }]
    for (const each of [
      { ...cached, model: 'm' },
      { ...price, model: 'plain' },
      { ...cached, type: 'times', model: 'times' },
      { ...cached, model: 'tiers', tiers },
      { ...price, model: 'c', channel_type: 14 },
    ])
      expect((await hub.root.post('/api/prices/single', each)).status).toBe(200)
    await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
    user = await hub.person(1, { quota: 900_000_000 })
    other = await hub.person(1, { quota: 900_000_000 })
  })
  afterAll(() => vendor?.close())
  rowTests()
  figureTests()
  ownerTests()
})
