import { beforeAll, expect, it } from 'vitest'
import type { TestUser } from './harness.ts'
import { answerJson, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
let user: TestUser
const answer = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 },
}

beforeAll(async () => {
  const { root, person } = hub.app
  const open = { public: true }
  await root.post('/api/user_group/', { symbol: 'extra', name: 'Extra', ratio: 3, ...open })
  await root.post('/api/user_group/', { symbol: 'staff', name: 'Staff', ratio: 1 })
  await hub.addChannel(1, 'everywhere', { group: 'default,extra' })
  await hub.addChannel(1, 'only-extra', { group: 'extra' })
  await hub.addChannel(1, 'only-staff', { group: 'staff' })
  for (const model of ['everywhere', 'only-extra', 'only-staff'])
    hub.upstream.play(model, turn => answerJson(turn, answer))
  user = await person(1, { quota: 100_000_000 })
})

const makeToken = async (fields: object) =>
  (await user.post('/api/token/', { name: 't', ...fields })).body
const charged = async (key: string, model: string) => {
  const balance = async () => (await user.get('/api/user/self')).body.data.quota as number
  const before = await balance()
  const body = { model, messages: [{ role: 'user', content: 'hi' }] }
  const headers = { authorization: `Bearer ${key}` }
  const { status } = await hub.post('/v1/chat/completions', body, headers)
  return { status, charge: before - (await balance()) }
}

it('the backup group serves a model without a channel in the group of the token, at its own prices', async () => {
  const plain = (await makeToken({})).data.key
  const backed = (await makeToken({ backup_group: 'extra' })).data.key
  const base = await charged(plain, 'everywhere')
  expect(base.status).toBe(200)
  expect(await charged(backed, 'everywhere')).toEqual(base)
  expect((await charged(plain, 'only-extra')).status).toBe(404)
  expect(await charged(backed, 'only-extra')).toEqual({ status: 200, charge: base.charge * 3 })
})

it('the backup group serves at its own prices once the channels of the group fail', async () => {
  const { root } = hub.app
  await hub.addChannel(1, 'shaky', {
    group: 'default',
    priority: 5,
    model_mapping: '{"shaky":"+broken"}',
  })
  await hub.addChannel(1, 'shaky', { group: 'extra' })
  hub.upstream.play('broken', turn => answerJson(turn, { error: { message: 'down' } }, 500))
  hub.upstream.play('shaky', turn => answerJson(turn, answer))
  await root.put('/api/option/', { key: 'RetryTimes', value: '0' })
  const base = await charged((await makeToken({})).data.key, 'everywhere')
  const plain = (await makeToken({})).data.key
  expect(await charged(plain, 'shaky')).toEqual({ status: 502, charge: 0 })
  const backed = (await makeToken({ backup_group: 'extra' })).data.key
  expect(await charged(backed, 'shaky')).toEqual({ status: 200, charge: base.charge * 3 })
  // The channel of the group is cooling down by now, and the backup group comes first.
  expect(await charged(backed, 'shaky')).toEqual({ status: 200, charge: base.charge * 3 })
})

it('a call with a backup group reserves the price of the more expensive group', async () => {
  const small = await hub.app.person(1, { quota: 8_000 })
  const statusOf = async (fields: object) => {
    const { key } = (await small.post('/api/token/', { name: 't', ...fields })).body.data
    const body = { model: 'everywhere', messages: [{ role: 'user', content: 'hi' }] }
    const headers = { authorization: `Bearer ${key}` }
    return (await hub.post('/v1/chat/completions', body, headers)).status
  }
  expect(await statusOf({ backup_group: 'extra' })).toBe(429)
  expect(await statusOf({})).toBe(200)
})

it('SEC-5 a backup group that is not open to the user is refused, also when it was closed later', async () => {
  expect((await makeToken({ backup_group: 'staff' })).code).toBe('group.unknown')
  await hub.app.root.put('/api/user/', { id: user.id, group: 'staff' })
  const token = (await makeToken({ group: 'default', backup_group: 'staff' })).data
  expect((await charged(token.key, 'only-staff')).status).toBe(200)
  await hub.app.root.put('/api/user/', { id: user.id, group: 'default' })
  expect((await charged(token.key, 'only-staff')).status).toBe(404)
})
