import { beforeAll, expect, it } from 'vitest'
import { answerJson, type Json, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

const session = { plugin: { prompt_cache_key: { scope: 'session' } } }
const user = { plugin: { prompt_cache_key: { scope: 'user' } } }
/** The type of the provider and fields of each channel. */
const channels = {
  openai: [1, session],
  'openai-user': [1, user],
  'openai-off': [1, { plugin: { prompt_cache_key: { scope: 'off' } } }],
  'openai-elsewhere': [1, {}],
  azure: [55, session],
  xai: [56, session],
  openrouter: [20, session],
  deepseek: [28, {}],
} as const

beforeAll(async () => {
  for (const [name, [type, fields]] of Object.entries(channels)) {
    await hub.addChannel(type, name, fields)
    hub.upstream.play(name, turn => {
      const head = { id: '1', model: name, created: 1 }
      const content = [{ type: 'output_text', text: 'Hi', annotations: [] }]
      const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 }
      if (String(turn.served.path).includes('/responses'))
        return answerJson(turn, {
          ...{ ...head, object: 'response', status: 'completed', usage },
          output: [{ id: 'msg_1', type: 'message', role: 'assistant', content }],
        })
      if (String(turn.served.path).includes('/messages'))
        return answerJson(turn, {
          ...{ ...head, type: 'message', role: 'assistant', stop_reason: 'end_turn' },
          ...{ content: [{ type: 'text', text: 'Hi' }], usage },
        })
      answerJson(turn, {
        ...{ ...head, object: 'chat.completion' },
        choices: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      })
    })
  }
})

type Call = { headers?: Record<string, string>; fields?: object; text?: string; path?: string }

const sent = async (model: keyof typeof channels, call: Call = {}) => {
  const { headers = {}, fields = {}, text = 'Hi', path = '/v1/messages' } = call
  hub.upstream.forget()
  const messages = [{ role: 'user', content: text }]
  const response = await hub.post(path, { model, max_tokens: 50, messages, ...fields }, headers)
  expect(response.status, await response.text()).toBe(200)
  const served = hub.upstream.served.at(-1)!
  return { body: receivedBody({ served } as never) as Json, headers: served.headers as Json }
}

const of = (name: string) => ({ headers: { 'x-claude-code-session-id': name } })
const form = /^[0-9a-f]{32}$/

it('each vendor gets the key where it reads it, and the others get none', async () => {
  expect((await sent('openai', of('a'))).body.prompt_cache_key).toMatch(form)
  expect((await sent('azure', of('a'))).body.prompt_cache_key).toMatch(form)
  expect((await sent('openrouter', of('a'))).body.session_id).toMatch(form)
  expect((await sent('xai', of('a'))).headers['x-grok-conv-id']).toMatch(form)
  for (const name of ['deepseek', 'openai-off', 'openai-elsewhere'] as const) {
    const { body, headers } = await sent(name, of('a'))
    expect(JSON.stringify([body, headers])).not.toMatch(/prompt_cache_key|session_id"|grok-conv/)
  }
})

it('a session has one key, whichever header or field names it, and the next one another', async () => {
  const keyOf = async (call: Call, model: keyof typeof channels = 'openai') =>
    (await sent(model, call)).body.prompt_cache_key
  const first = await keyOf(of('a'))
  expect(await keyOf({ ...of('a'), text: 'Go on' })).toBe(first)
  expect(await keyOf(of('b'))).not.toBe(first)
  expect(await keyOf(of('a'), 'openai-user')).toBe(await keyOf(of('b'), 'openai-user'))
  // Without a name a session is known by what it begins with.
  const begun = await keyOf({})
  const turns = ['Hi', 'Yes', 'Go on'].map((content, at) => ({
    ...{ role: at % 2 ? 'assistant' : 'user', content },
  }))
  expect(await keyOf({ fields: { messages: turns } })).toBe(begun)
  expect(await keyOf({ text: 'Another' })).not.toBe(begun)
})

it('the key of a caller stays as it is, and a plain chat passes without one', async () => {
  const path = '/v1/chat/completions'
  const own = await sent('openai', { ...of('a'), path, fields: { prompt_cache_key: 'mine' } })
  expect(own.body.prompt_cache_key).toBe('mine')
  expect((await sent('openai', { path })).body).not.toHaveProperty('prompt_cache_key')
  expect((await sent('openai', { ...of('a'), path })).body.prompt_cache_key).toMatch(form)
})
