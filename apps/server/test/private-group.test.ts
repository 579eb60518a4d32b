import { beforeAll, expect, it } from 'vitest'
import type { TestUser } from './harness.ts'
import { useRelayHub } from './relay-hub.ts'

const model = 'grouped'
const privateModel = 'of-partners'
const hub = useRelayHub()
let headers: { authorization: string }
let key: string
let user: TestUser

beforeAll(async () => {
  const { root, person } = hub.app
  await root.post('/api/user_group/', { symbol: 'partners', name: 'Partners', ratio: 0.1 })
  await hub.addChannel(1, model, { group: 'default,partners' })
  await hub.addChannel(1, privateModel, { group: 'partners' })
  user = await person(1, { quota: 1_000_000 })
  await root.put('/api/user/', { id: user.id, group: 'partners' })
  const made = await user.post('/api/token/', { name: 't', group: 'partners' })
  key = made.body.data.key
  headers = { authorization: `Bearer ${key}` }
  hub.upstream.play(model, ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content: 'hi' } }],
        usage: { prompt_tokens: 10, completion_tokens: 5 },
      }),
    )
  })
})

const call = () =>
  hub.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] }, headers)

it('SEC-5 the model lists of each dialect and of the console name only models of groups that the user may use', async () => {
  const lists: [path: string, headers: Record<string, string>][] = [
    ['/v1/models', headers],
    ['/v1/models', { 'x-api-key': key, 'anthropic-version': '2023-06-01' }],
    ['/v1beta/models', { 'x-goog-api-key': key }],
    [`/v1/models/${model}`, headers],
  ]
  const answers = () =>
    Promise.all(
      lists.map(async ([path, sent]) => {
        const response = await fetch(`${hub.url}${path}`, { headers: sent })
        return [response.status, (await response.text()).includes(model)]
      }),
    )
  const available = async () => (await user.get('/api/available_model')).body.data[privateModel]
  expect(await answers()).toEqual(lists.map(() => [200, true]))
  expect(await available()).toMatchObject({ groups: ['partners'] })
  await hub.app.root.put('/api/user/', { id: user.id, group: 'default' })
  expect(await answers()).toEqual(lists.map(() => [403, false]))
  expect(await available()).toBeUndefined()
  await hub.app.root.put('/api/user/', { id: user.id, group: 'partners' })
})

it('SEC-5 a token of a private group stops working once its owner is moved out of the group', async () => {
  expect((await call()).status).toBe(200)
  await hub.app.root.put('/api/user/', { id: user.id, group: 'default' })
  const refused = await call()
  const { error } = (await refused.json()) as { error: { code: string; message: string } }
  expect([refused.status, error.code]).toEqual([403, 'group_not_allowed'])
  expect(error.message).toContain('The group is private.')

  const { data } = (await hub.app.root.get('/api/user_group/?size=100')).body
  const partners = data.data.find((each: { symbol: string }) => each.symbol === 'partners')
  await hub.app.root.put('/api/user_group/', { id: partners.id, public: true })
  expect((await call()).status).toBe(200)
})
