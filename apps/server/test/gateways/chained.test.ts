import { beforeAll, describe, expect, it } from 'vitest'
import { type Json, type RelayHub, useRelayHub } from '../relay-hub.ts'

// Two gateways, one behind the other, and a fake vendor behind both: caller → outer → inner → vendor.

const inner = useRelayHub()
const outer = useRelayHub()

beforeAll(async () => {
  const models = 'm,claude-opus-4-6,embed'
  await inner.addChannel(67, models, { base_url: `${inner.upstream.url}/a` })
  // The address of the inner gateway may name the version.
  await outer.addChannel(67, models, { base_url: `${inner.url}/v1`, key: inner.key })
})

const line = 'x-anthropic-billing-header: cc_version=2.1.332.0b8; cc_entrypoint=cli;'
/** Spaces and unknown fields show that the bytes pass as they are. */
const spaced = (body: object) => JSON.stringify({ ...body, user: 'caller' }, null, 1)
const message = { role: 'user', content: 'Hi.' }
const calls = {
  chat: ['/v1/chat/completions', { model: 'm', messages: [message] }],
  responses: ['/v1/responses', { model: 'm', input: 'Hi.', store: false }],
  messages: [
    '/v1/messages',
    {
      ...{ model: 'claude-opus-4-6', max_tokens: 50, messages: [message] },
      system: [
        { type: 'text', text: line },
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
      ],
    },
  ],
  gemini: ['/v1beta/models/m:generateContent', { contents: [{ parts: [{ text: 'Hi.' }] }] }],
} as const satisfies Record<string, readonly [string, object]>
type Name = keyof typeof calls

const requestOf = (name: Name, stream: boolean): [path: string, body: object] => {
  const [path, body] = calls[name]
  if (name !== 'gemini') return [path, stream ? { ...body, stream } : body]
  return [stream ? path.replace(':generate', ':streamGenerate').concat('?alt=sse') : path, body]
}

/** Ids count up at the fake vendor, and times are those of the clock. */
const withoutIds = (text: string) =>
  text
    .replaceAll(/"(chatcmpl-|msg_|resp_|req_|r)[\w-]*\d[\w-]*"/g, '"$1"')
    .replaceAll(/"marks":"\w+"/g, '"marks":""')
    .replaceAll(/"(created|created_at|completed_at)":\d+(\.\d+)?/g, '"$1":0')

const ask = async (hub: RelayHub, path: string, body: string) => {
  inner.upstream.forget()
  const response = await fetch(`${hub.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${hub.key}` },
      ...{ 'x-api-key': hub.key, 'x-goog-api-key': hub.key },
      'anthropic-version': '2023-06-01',
    },
    body,
  })
  const text = await response.text()
  const [served] = inner.upstream.served
  return {
    ...{ status: response.status, type: response.headers.get('content-type') },
    text: withoutIds(text),
    ...{ path: served?.path, sent: withoutIds(String(served?.body)) },
    attempts: inner.upstream.served.length,
  }
}

describe.each(['whole', 'streamed'])('an answer that is %s', kind => {
  it.each(Object.keys(calls) as Name[])(
    'has the same bytes through two gateways as through one, in the dialect of %s',
    async name => {
      const [path, body] = requestOf(name, kind === 'streamed')
      const one = await ask(inner, path, spaced(body))
      const two = await ask(outer, path, spaced(body))
      expect([one.status, one.attempts, one.path]).toEqual([200, 1, `/a${path}`])
      expect(two).toEqual(one)
      // Without options of its own a stream of chat completions asks for its usage.
      if (name !== 'chat' || kind === 'whole') expect(two.sent).toBe(spaced(body))
    },
  )
})

it('the line of Claude Code reaches the vendor behind both gateways', async () => {
  const [path, body] = requestOf('messages', false)
  expect((await ask(outer, path, spaced(body))).sent).toContain(line)
})

it('both gateways charge the same tokens', async () => {
  const charges = async ({ app }: RelayHub) => {
    const { body } = await app.root.get('/api/log/?size=20&log_type=2')
    return body.data.data.map((each: Json) => [each.prompt_tokens, each.completion_tokens])
  }
  for (const name of Object.keys(calls) as Name[])
    for (const stream of [false, true]) {
      const [path, body] = requestOf(name, stream)
      await ask(outer, path, JSON.stringify(body))
    }
  const [first, second] = [await charges(outer), await charges(inner)]
  expect(first.slice(0, 8)).toEqual(second.slice(0, 8))
  expect(first[0]).toEqual([10, 5])
})

it('the models and the balance of the inner gateway are read with its key alone', async () => {
  const { body } = await outer.app.root.get('/api/channel/?size=10')
  const [{ id, base_url }] = body.data.data
  const models = await outer.app.root.post('/api/channel/provider_models_list', {
    ...{ type: 67, key: inner.key, base_url, proxy: '', other: '' },
  })
  expect(models.body.data, models.text).toEqual(['claude-opus-4-6', 'embed', 'm'])
  const balance = await outer.app.root.post(`/api/channel/update_balance/${id}`)
  expect(balance.body, balance.text).toMatchObject({ success: true })
})

it('the multipliers of the inner gateway are read, also with the token of the account', async () => {
  await inner.app.root.post('/api/user_group/', {
    ...{ symbol: 'resale', name: 'Resale', ratio: 0.16, public: true, api_rate: 600 },
  })
  const account = await inner.app.root.get('/api/user/self')
  const withToken = `${inner.key}|${inner.app.accessToken}|${account.body.data.id}`
  for (const key of [inner.key, withToken]) {
    const { body, text } = await outer.app.root.post('/api/channel/provider_groups_list', {
      ...{ type: 67, key, base_url: inner.url, proxy: '', other: '' },
    })
    const resale = { group: 'resale', name: 'Resale', ratio: '0.16' }
    expect(body.data, text).toEqual(expect.arrayContaining([resale]))
  }
})

it('the balance of the account is read with the token of the account, which no call gets', async () => {
  const account = await inner.app.root.get('/api/user/self')
  const { quota_per_unit } = (await inner.app.root.get('/api/status')).body.data
  const key = `${inner.key}|${inner.app.accessToken}|${account.body.data.id}`
  await outer.addChannel(67, 'with-token', { base_url: inner.url, key })
  await inner.addChannel(67, 'with-token')
  const { body } = await outer.app.root.get('/api/channel/?size=10')
  const channel = body.data.data.find((each: Json) => each.name === 'with-token')
  const balance = await outer.app.root.post(`/api/channel/update_balance/${channel.id}`)
  const shown = (balance.body.data.amount ?? balance.body.data.balance) * quota_per_unit
  expect(Math.abs(shown - account.body.data.quota), balance.text).toBeLessThan(quota_per_unit)
  const chat = JSON.stringify({ model: 'with-token', messages: [message] })
  expect((await ask(outer, '/v1/chat/completions', chat)).status).toBe(200)
})

it('the tokens of a prompt are counted by the vendor behind both', async () => {
  const { model, messages } = calls.messages[1]
  const counted = await ask(outer, '/v1/messages/count_tokens', spaced({ model, messages }))
  expect([counted.status, counted.path]).toEqual([200, '/a/v1/messages/count_tokens'])
})
