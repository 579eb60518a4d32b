import { beforeAll, expect, it } from 'vitest'
import type { Turn } from '../../../../../test/upstream/turn.ts'
import type { TestUser } from '../../../test/harness.ts'
import { answerJson, type Json, useRelayHub } from '../../../test/relay-hub.ts'
import { errorLog } from '../error-log/error-log.ts'

const hub = useRelayHub()

type Key = { user: TestUser; key: string }

const makeKey = async (fields: object = {}, { quota = 50_000_000, group = 'default' } = {}) => {
  const user = await hub.app.person(1, { quota, group })
  const token = { name: 't', unlimited_quota: true, expired_time: -1, ...fields }
  const { status, body } = await user.post('/api/token/', token)
  expect([status, body.message]).toEqual([200, ''])
  return { user, key: body.data.key }
}

const chat = (key: string, model = 'served', more: object = {}) => {
  const messages = [{ role: 'user', content: 'hi' }]
  const headers = { authorization: `Bearer ${key}` }
  return hub.post('/v1/chat/completions', { model, messages, ...more }, headers)
}

const lastRow = async ({ user }: Key): Promise<Json> => {
  await errorLog(hub.app.app).flush()
  return (await user.get('/api/log/self?log_type=5&size=1&order=-id')).body.data.data[0]
}

let play: (turn: Turn) => Promise<void> | void

/** Calls while another call of the key runs, or was refused. */
const callTwice = async ({ key }: Key): Promise<{ response: Response; message: string }> => {
  const called = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<void>()
  play = async turn => {
    called.resolve()
    await seen.promise
    answerJson(turn, completion)
  }
  const first = chat(key)
  await Promise.race([called.promise, first])
  const response = await chat(key)
  seen.resolve()
  await (await first).text()
  const body: Json = await response.json()
  return { response, message: body.error.message }
}

const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'served' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

let groups = 0
const addGroup = async (fields: object): Promise<string> => {
  const symbol = `group${groups++}`
  const group = { symbol, name: symbol, ratio: 1, public: true, api_rate: 1_000_000, ...fields }
  const { status, body } = await hub.app.root.post('/api/user_group/', group)
  expect([status, body.message]).toEqual([200, ''])
  await hub.addChannel(1, 'served', { group: symbol, name: symbol })
  return symbol
}

beforeAll(async () => {
  await hub.addChannel(1, 'served,dear')
  hub.upstream.play('served', turn => play(turn))
})

const limits = [
  ['rate.requests', { api_rate: 1 }],
  ['rate.requests_day', { requests_per_day: 1 }],
  ['rate.tokens', { tokens_per_minute: 1 }],
  ['rate.concurrent', { concurrent_requests: 1 }],
  ['quota.day', { quota_per_day: 1 }],
  ['quota.month', { quota_per_month: 1 }],
] as const

const check = async (owner: Key, code: string, name: 'token' | 'group') => {
  const { response, message } = await callTwice(owner)
  const { content, metadata } = await lastRow(owner)
  expect([content, metadata.refusal.limit_of, metadata.refusal.limit]).toEqual([code, name, 1])
  expect(message).toContain(name === 'token' ? 'this API key' : 'your group')
  expect(message).not.toContain(name === 'token' ? 'your group' : 'this API key')
  const delay = Number(response.headers.get('retry-after'))
  if (code.startsWith('rate.')) expect(message).toContain(`try again in ${delay} s`)
  expect(metadata.refusal.retry_after).toBeGreaterThan(0)
}

it.each(limits)('%s of a key says that it is the limit of the key', async (code, fields) => {
  await check(await makeKey(fields), code, 'token')
})

it.each(limits)('%s of a group says that it is the limit of the group', async (code, fields) => {
  await check(await makeKey({}, { group: await addGroup(fields) }), code, 'group')
})

const requests = {
  chat: ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
  'chat with a limit': [
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: 'hi' }], max_tokens: 1_000 },
  ],
  embeddings: ['/v1/embeddings', { input: 'hi' }],
  images: ['/v1/images/generations', { prompt: 'hi' }],
} as const
const short = Object.keys(requests) as (keyof typeof requests)[]

it.each(short)(
  'the row of a call for %s that the balance does not cover has both figures',
  async name => {
    const owner = await makeKey({}, { quota: 1 })
    const [path, fields] = requests[name]
    const headers = { authorization: `Bearer ${owner.key}` }
    const response = await hub.post(path, { model: 'dear', ...fields }, headers)
    const text = await response.text()
    const { content, metadata } = await lastRow(owner)
    expect([response.status, content, metadata.refusal.available]).toEqual([
      ...[429, 'quota.exhausted', 1],
    ])
    expect(metadata.refusal.needed).toBeGreaterThan(1)
    expect(text).not.toContain(String(metadata.refusal.needed))
  },
)

it('the row of a call that the cap of its key does not cover has what the cap leaves', async () => {
  const owner = await makeKey({ unlimited_quota: false, remain_quota: 2 })
  await (await chat(owner.key, 'dear')).text()
  const { content, metadata } = await lastRow(owner)
  expect([content, metadata.refusal.available]).toEqual(['token.exhausted', 2])
  expect(metadata.refusal.needed).toBeGreaterThan(2)
})
