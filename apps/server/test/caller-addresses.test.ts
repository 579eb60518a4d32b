import { beforeAll, expect, it } from 'vitest'
import type { TestUser } from './harness.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const model = 'named-channel'
let user: TestUser
let userKey: string

beforeAll(async () => {
  for (const name of ['first', 'second'])
    await hub.addChannel(1, model, { name, base_url: `${hub.upstream.url}/${name}` })
  hub.upstream.play(model, turn =>
    answerJson(turn, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  )
  user = await hub.app.person(1, { quota: 1_000_000 })
  const unlimited = { name: 'own', unlimited_quota: true }
  userKey = (await user.post('/api/token/', unlimited)).body.data.key
})

const chatWith = async (key: string) => {
  const body = { model, messages: [{ role: 'user', content: 'hi' }] }
  const headers = { authorization: `Bearer ${key}` }
  const response = await hub.post('/v1/chat/completions', body, headers)
  return { status: response.status, body: (await response.json()) as Json }
}
const get = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(`${hub.url}${path}`, { headers })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

it('an administrator names the channel after # and, as in One API, after a hyphen', async () => {
  const { body } = await hub.app.root.get('/api/channel/?page=1&size=10')
  for (const { id, name } of body.data.data as { id: number; name: string }[])
    for (const suffix of [`-${id}`, `#${id}`]) {
      hub.upstream.forget()
      for (let n = 0; n < 4; n++) expect((await chatWith(`${hub.key}${suffix}`)).status).toBe(200)
      expect(new Set(hub.upstream.served.map(each => each.channel))).toEqual(new Set([name]))
    }
})

it('nobody else names a channel, and a key that is unknown stays unknown', async () => {
  expect((await chatWith(userKey)).status).toBe(200)
  expect(await chatWith(`${userKey}-1`)).toMatchObject({
    status: 403,
    body: { error: { code: 'access_denied' } },
  })
  for (const key of [
    'sk-nobody-has-this-1',
    `${hub.key}-0`,
    `${hub.key}-x`,
    `${hub.key}-1-2`,
    '-1',
  ])
    expect([key, (await chatWith(key)).status]).toEqual([key, 401])
})

const usageOf = (key: string, query = '') =>
  get(`/v1/usage${query}`, { authorization: `Bearer ${key}` })

it('/v1/usage shows what a key has left, of its own quota or of its user’s balance', async () => {
  const { quota, used_quota } = (await user.get('/api/user/self')).body.data
  expect((await usageOf(userKey)).body).toEqual({
    ...{ mode: 'unrestricted', isValid: true, planName: 'default', unit: 'USD' },
    ...{ remaining: quota / 500_000, balance: quota / 500_000 },
    usage: { total: { cost: used_quota / 500_000 } },
  })
  const own = { name: 'capped', unlimited_quota: false, remain_quota: 250_000 }
  const { key } = (await user.post('/api/token/', own)).body.data
  expect((await usageOf(key)).body).toEqual({
    ...{ mode: 'quota_limited', status: 'active', isValid: true, planName: 'default' },
    ...{ remaining: 0.5, unit: 'USD', quota: { limit: 0.5, used: 0, remaining: 0.5, unit: 'USD' } },
  })
  const expired_time = Math.floor(Date.now() / 1_000) + 2.5 * 86_400
  const ending = (await user.post('/api/token/', { ...own, name: 'ending', expired_time })).body
    .data
  expect((await usageOf(ending.key)).body).toMatchObject({
    expires_at: new Date(expired_time * 1_000).toISOString(),
    days_until_expiry: 2,
  })
  const spent = (await user.post('/api/token/', { ...own, name: 'spent', remain_quota: 0 })).body
  expect((await usageOf(spent.data.key)).body).toMatchObject({
    ...{ status: 'quota_exhausted', isValid: true, remaining: 0 },
  })
  expect((await usageOf('sk-nobody')).status).toBe(401)
})

it('S26 /v1/usage of a key with a quota shows nothing of its account and of other keys', async () => {
  const create = async (name: string, remain_quota: number) => {
    const token = { name, unlimited_quota: false, remain_quota }
    return (await user.post('/api/token/', token)).body.data as { id: number; key: string }
  }
  const [first, second] = [await create('first', 35_000), await create('second', 45_000)]
  for (const query of ['', `?key=${second.key}`, `?token_id=${second.id}`, `?user_id=${user.id}`]) {
    const { body, text } = await usageOf(first.key, query)
    expect(body).toEqual({
      ...{ mode: 'quota_limited', status: 'active', isValid: true, planName: 'default' },
      ...{ remaining: 0.07, unit: 'USD' },
      quota: { limit: 0.07, used: 0, remaining: 0.07, unit: 'USD' },
    })
    for (const other of [first.key, second.key, user.username, '0.09'])
      expect(text).not.toContain(other)
  }
  expect((await usageOf(second.key)).body.remaining).toBe(0.09)
})

const unknownPaths: [path: string, headers: Record<string, string>, shape: object][] = [
  ['/v1/nothing', {}, { error: { type: expect.any(String), code: 'route_unknown' } }],
  ['/v1/nothing', { 'anthropic-version': '2023-06-01' }, { type: 'error', error: {} }],
  ['/v1beta/nothing', {}, { error: { status: 'NOT_FOUND' } }],
  ['/messages/nothing', {}, { type: 'error', error: {} }],
  ['/chat/nothing', {}, { error: { code: 'route_unknown' } }],
  ['/responses/a/b/c', {}, { error: { code: 'route_unknown' } }],
  ['/images/nothing', {}, { error: { code: 'route_unknown' } }],
]

it.each(unknownPaths)(
  '%s with %o is 404 in the dialect of its caller',
  async (path, headers, shape) => {
    const { status, body } = await get(path, headers)
    expect(status).toBe(404)
    expect(body).toMatchObject(shape)
  },
)
