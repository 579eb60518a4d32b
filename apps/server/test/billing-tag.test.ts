import { beforeAll, expect, it } from 'vitest'
import type { TestClient, TestUser } from './harness.ts'
import { answerJson, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
let user: TestUser
let admin: TestUser
const limits = {
  limit_model_setting: { enabled: false, models: [] },
  limits_ip_setting: { enabled: false, whitelist: [] },
}
const setting = (billing_tag?: string | null) => ({
  ...{ heartbeat: { enabled: false, timeout_seconds: 30 }, limits },
  ...(billing_tag !== undefined && { billing_tag }),
})

beforeAll(async () => {
  const { root, person } = hub.app
  for (const symbol of ['sales', 'research'])
    await root.post('/api/user_group/', { symbol, name: symbol, ratio: 7 })
  await hub.addChannel(1, 'm')
  hub.upstream.play('m', turn =>
    answerJson(turn, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 },
    }),
  )
  user = await person(1, { quota: 100_000_000 })
  admin = await person(10)
})

const make = async () => (await user.post('/api/token/', { name: 't' })).body.data
const setTag = (id: number, tag: string | null, by: TestClient = admin) =>
  by.put('/api/token/admin', { id, setting: setting(tag) })
const tagOf = async (id: number) =>
  (await admin.get(`/api/token/admin/search?token_id=${id}`)).body.data.data[0].setting.billing_tag
const charge = async (key: string) => {
  const balance = async () => (await user.get('/api/user/self')).body.data.quota as number
  const before = await balance()
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
  const headers = { authorization: `Bearer ${key}` }
  expect((await hub.post('/v1/chat/completions', body, headers)).status).toBe(200)
  return before - (await balance())
}

it('a billing tag changes no price, and the charge counts for its group', async () => {
  const plain = await make()
  const tagged = await make()
  expect((await setTag(tagged.id, 'sales')).body.data.setting.billing_tag).toBe('sales')
  const base = await charge(plain.key)
  expect(base).toBeGreaterThan(0)
  expect(await charge(tagged.key)).toBe(base)
  const [row, untagged] = (await admin.get('/api/log/?log_type=2')).body.data.data
  expect(row.metadata).toMatchObject({ billing_tag: 'sales', group_name: 'default' })
  expect(untagged.metadata).not.toHaveProperty('billing_tag')
  const { groups } = (await admin.get('/api/operations/overview')).body.data
  const counted = { id: 0, charged: base, requests: 1, failed: 0 }
  expect(groups).toHaveLength(2)
  for (const name of ['default', 'sales']) expect(groups).toContainEqual({ ...counted, name })
})

it('a change of the tag holds for the next call', async () => {
  const { id, key } = await make()
  for (const tag of ['sales', 'research', null]) {
    await setTag(id, tag)
    await charge(key)
    const [{ metadata }] = (await admin.get('/api/log/?log_type=2')).body.data.data
    expect(metadata.billing_tag ?? null).toBe(tag)
  }
})

it('S26 a user neither sees a billing tag nor sets, changes or removes one', async () => {
  const refused = { code: 'access.denied' }
  const made = await user.post('/api/token/', { name: 't', setting: setting('sales') })
  expect(made).toMatchObject({ status: 403, body: refused })
  const { id, key } = await make()
  await setTag(id, 'sales')
  await charge(key)
  const texts = [
    await user.get(`/api/token/${id}`),
    await user.get('/api/token/'),
    await user.get('/api/log/self?log_type=2'),
    await user.put('/api/token/', { id, setting: setting() }),
    await user.put('/api/token/', { id, setting: setting(null) }),
    await user.put('/api/token/', { id, setting: setting('') }),
  ].map(({ status, body }) => {
    expect(status).toBe(200)
    return JSON.stringify(body)
  })
  for (const text of texts) expect(text).not.toContain('billing_tag')
  for (const tag of ['sales', 'research']) {
    const changed = await user.put('/api/token/', { id, setting: setting(tag) })
    expect(changed).toMatchObject({ status: 403, body: refused })
  }
  expect(await tagOf(id)).toBe('sales')
})

it('S27 an administrator sets it on own tokens and on those of users below, and only to a group that exists', async () => {
  const { id } = await make()
  const own = await admin.post('/api/token/', { name: 'own', setting: setting('research') })
  expect(own.body.data.setting.billing_tag).toBe('research')
  const kept = { id: own.body.data.id, setting: setting() }
  expect((await admin.put('/api/token/', kept)).body.data.setting.billing_tag).toBe('research')
  expect((await setTag(id, 'nobody')).body.code).toBe('group.unknown')
  expect((await setTag(own.body.data.id, 'sales')).body.code).toBe('user.rank')
  expect((await setTag(id, 'sales', hub.app.root)).status).toBe(200)
  expect(await tagOf(id)).toBe('sales')
})
