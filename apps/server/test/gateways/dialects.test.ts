import { beforeEach, expect, it } from 'vitest'
import type { Play } from '../../../../test/upstream/start.ts'
import { answerJson, type Json, useRelayHub } from '../relay-hub.ts'

// Channels of gateways whose models are served in some dialects only.

const hub = useRelayHub()
beforeEach(() => hub.upstream.forget())

const error = (message: string, code: string, type = 'new_api_error') => ({
  error: { message, type, param: '', code },
})
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
const answers: Record<string, Json> = {
  chat: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm', usage },
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' },
    ],
  },
  messages: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null },
    ...{ content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn' },
    usage: { input_tokens: 5, output_tokens: 2 },
  },
}
const kindOf = (path: string) => {
  if (path.endsWith('/chat/completions')) return 'chat'
  if (path.endsWith('/messages')) return 'messages'
  return path.endsWith('/responses') ? 'responses' : 'gemini'
}

/** Answers in the named dialects, and refuses the others. */
const only =
  (served: readonly string[], refusal: [status: number, body: object]): Play =>
  turn => {
    const kind = kindOf(turn.served.path)
    const [status, body] = refusal
    return served.includes(kind) ? answerJson(turn, answers[kind]) : answerJson(turn, body, status)
  }

let made = 0
const addModel = async (play: Play): Promise<string> => {
  const name = `resold-${++made}`
  await hub.addChannel(67, name)
  hub.upstream.play(name, play)
  return name
}
const requestedKinds = () => hub.upstream.served.map(each => kindOf(each.path))
const ask = async (model: string, path = '/v1/messages') => {
  const body = path.includes('generateContent')
    ? { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] }
    : path.endsWith('/responses')
      ? { model, input: 'Hi.', store: false }
      : { model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi.' }] }
  const response = await hub.post(path, body)
  return { status: response.status, text: await response.text() }
}

const refusals: [gateway: string, status: number, body: object][] = [
  ['any', 404, { error: { message: 'Not Found' } }],
  ['any', 405, { detail: 'Method Not Allowed' }],
  ['New API', 500, error('not implemented', 'convert_request_failed')],
  ['One Hub', 501, error('The API interface is not supported', 'unsupported_api', 'one_hub_error')],
  ['this gateway', 501, error('No channel for this model supports this.', 'operation_unsupported')],
  [
    'sub2api',
    403,
    {
      type: 'error',
      error: {
        type: 'permission_error',
        message: 'This group does not allow /v1/messages dispatch',
      },
    },
  ],
]

it.each(refusals)(
  'a dialect that %s refuses with %i is translated in the same call, and left out for an hour',
  async (_, status, body) => {
    const model = await addModel(only(['chat'], [status, body]))
    for (const path of [
      '/v1/messages',
      '/v1/responses',
      `/v1beta/models/${model}:generateContent`,
    ]) {
      const answered = await ask(model, path)
      expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('Hello.')])
      expect(requestedKinds()).toEqual([kindOf(path.replace(/:generateContent$/, '')), 'chat'])
      hub.upstream.forget()
      expect((await ask(model, path)).status).toBe(200)
      expect(requestedKinds()).toEqual(['chat'])
      hub.upstream.forget()
    }
    hub.app.clock.now += 3_601_000
    await ask(model)
    expect(requestedKinds()).toEqual(['messages', 'chat'])
  },
)

it('a model without chat completions is served in the next dialect that it has', async () => {
  const model = await addModel(only(['messages'], [404, { error: { message: 'Not Found' } }]))
  const path = '/v1/chat/completions'
  expect((await ask(model, path)).text).toContain('Hello.')
  expect(requestedKinds()).toEqual(['chat', 'responses', 'messages'])
  hub.upstream.forget()
  expect((await ask(model, path)).text).toContain('Hello.')
  expect((await ask(model, '/v1/messages')).text).toBe(JSON.stringify(answers.messages))
  expect(requestedKinds()).toEqual(['messages', 'messages'])
})

it('a dialect that one model lacks is still used for another model of the channel', async () => {
  const names = `pair-${++made},pair-${++made}`
  await hub.addChannel(67, names)
  const [first = '', second = ''] = names.split(',')
  hub.upstream.play(first, only(['chat'], [404, {}]))
  hub.upstream.play(second, only(['chat', 'messages'], [404, {}]))
  await ask(first)
  hub.upstream.forget()
  await ask(first)
  await ask(second)
  expect(requestedKinds()).toEqual(['chat', 'messages'])
})

it('a model that is served in no dialect gets the refusal of the own one, and nothing is learnt', async () => {
  const model = await addModel(only([], [404, { error: { message: 'Not Found' } }]))
  for (let call = 0; call < 2; call++) {
    expect((await ask(model)).status).toBe(404)
    expect(requestedKinds()).toEqual(['messages', 'chat', 'responses', 'gemini'])
    hub.upstream.forget()
  }
})

it.each([
  [503, error('当前分组 default 下对于模型 m 无可用渠道', 'model_not_found')],
  [500, error('invalid character', 'convert_request_failed')],
  [403, error('This model is not allowed for the key', 'access_denied')],
])('another refusal with %i is not taken for a missing dialect', async (status, body) => {
  const model = await addModel(only(['chat'], [status, body]))
  expect((await ask(model)).status).toBeGreaterThanOrEqual(400)
  expect(new Set(requestedKinds())).toEqual(new Set(['messages']))
})
