import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { noticesOf, subscribe } from '../notices.ts'
import { answerJson, type Json, useRelayHub } from '../relay-hub.ts'

// The account at the upstream is empty: at another gateway of this kind, and in the words of others.

const inner = useRelayHub()
const outer = useRelayHub()

const message = { role: 'user', content: 'Hi.' }
const calls = {
  chat: ['/v1/chat/completions', { messages: [message] }],
  responses: ['/v1/responses', { input: 'Hi.', store: false }],
  messages: ['/v1/messages', { max_tokens: 50, messages: [message] }],
  gemini: ['/v1beta/models/M:generateContent', { contents: [{ parts: [{ text: 'Hi.' }] }] }],
} as const
type Name = keyof typeof calls

let poorKey = ''
let made = 0

beforeAll(async () => {
  await inner.addChannel(67, 'm*', { base_url: `${inner.upstream.url}/a` })
  const poor = await inner.app.person(1, { quota: 0 })
  const token = await poor.post('/api/token/', { name: 'poor', unlimited_quota: true })
  expect(token.status, token.text).toBe(200)
  poorKey = token.body.data.key
  await subscribe(outer.app.root, 'site', ['channel.funds'])
  await outer.app.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: '5' })
})
beforeEach(() => outer.upstream.forget())

const ask = async (name: Name, model: string) => {
  const [path, body] = calls[name]
  const fields = name === 'gemini' ? body : { model, ...body }
  const response = await outer.post(path.replace('M', model), fields)
  return { status: response.status, text: await response.text() }
}
const attemptsOf = async () => {
  const { body } = await outer.app.root.get('/api/log/?size=1')
  const [row] = body.data.data
  return (row.metadata.attempts ?? []) as Json[]
}
const notices = () => noticesOf(outer.app.root, 'site', 'channel.funds')

it.each(Object.keys(calls) as Name[])(
  'an empty account at another gateway is left within one call of %s, and told',
  async name => {
    const model = `m-${randomBytes(3).toString('hex')}-${++made}`
    const poor = { base_url: inner.url, key: poorKey, priority: 9, name: `poor-${made}` }
    await outer.addChannel(67, model, poor)
    await outer.addChannel(67, model, { base_url: inner.url, key: inner.key, name: `rich-${made}` })
    const before = (await notices()).length
    expect((await ask(name, model)).status).toBe(200)
    const attempts = await attemptsOf()
    expect(attempts.map(each => [each.channel, each.code])).toEqual([
      [`poor-${made}`, 'upstream.funds'],
    ])
    expect((await ask(name, model)).status).toBe(200)
    expect(await attemptsOf()).toEqual([])
    await expect.poll(async () => (await notices()).length).toBe(before + 1)
    const notice = (await notices()).at(-1)
    expect(JSON.stringify(notice)).toContain(`poor-${made}`)
  },
)

it.each([
  [
    'New API',
    403,
    { message: '用户额度不足', code: 'insufficient_user_quota', type: 'new_api_error' },
  ],
  [
    'One Hub',
    403,
    { message: 'quota', code: 'pre_consume_token_quota_failed', type: 'one_hub_error' },
  ],
  ['sub2api', 403, { message: 'Insufficient account balance', code: 'INSUFFICIENT_BALANCE' }],
])(
  'the words of %s leave the channel, and the caller does not see them',
  async (_, status, error) => {
    const model = `alone-${++made}`
    outer.upstream.play(model, turn => answerJson(turn, { error }, status))
    await outer.addChannel(67, model)
    const answered = await ask('chat', model)
    expect(answered.status).toBe(502)
    expect(answered.text).toContain('empty')
    expect(answered.text).not.toContain(error.message)
    expect(outer.upstream.served).toHaveLength(1)
  },
)

it('with several keys each empty account is left out alone', async () => {
  const model = `keys-${++made}`
  const used: string[] = []
  outer.upstream.play(model, turn => {
    used.push(turn.served.credential)
    const error = { message: 'Insufficient Balance', code: 'invalid_request_error' }
    if (turn.served.credential.endsWith('sk-poor')) return answerJson(turn, { error }, 402)
    const choice = {
      index: 0,
      message: { role: 'assistant', content: 'Hi.' },
      finish_reason: 'stop',
    }
    return answerJson(turn, { id: 'c', object: 'chat.completion', choices: [choice] })
  })
  const several = { key: 'sk-poor\nsk-rich', key_mode: 'one_channel', key_rotation: 'round_robin' }
  await outer.addChannel(67, model, several)
  for (let call = 0; call < 5; call++) expect((await ask('chat', model)).status).toBe(200)
  expect(used.filter(each => each.endsWith('sk-poor'))).toHaveLength(1)
})
