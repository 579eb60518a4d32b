import { beforeAll, expect, it } from 'vitest'
import { useRelayHub } from './relay-hub.ts'

const model = 'grouped'
const hub = useRelayHub()
let headers: { authorization: string }
let userId: number

beforeAll(async () => {
  const { root, person } = hub.app
  await root.post('/api/user_group/', { symbol: 'partners', name: 'Partners', ratio: 0.1 })
  await hub.addChannel(1, model, { group: 'default,partners' })
  const user = await person(1, { quota: 1_000_000 })
  userId = user.id
  await root.put('/api/user/', { id: userId, group: 'partners' })
  const made = await user.post('/api/token/', { name: 't', group: 'partners' })
  headers = { authorization: `Bearer ${made.body.data.key}` }
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

it('SEC-5 a token of a private group stops working once its owner is moved out of the group', async () => {
  expect((await call()).status).toBe(200)
  await hub.app.root.put('/api/user/', { id: userId, group: 'default' })
  const refused = await call()
  const { error } = (await refused.json()) as { error: { code: string; message: string } }
  expect([refused.status, error.code]).toEqual([403, 'group_not_allowed'])
  expect(error.message).toContain('The group is private.')

  const { data } = (await hub.app.root.get('/api/user_group/?size=100')).body
  const partners = data.data.find((each: { symbol: string }) => each.symbol === 'partners')
  await hub.app.root.put('/api/user_group/', { id: partners.id, public: true })
  expect((await call()).status).toBe(200)
})
