import { beforeAll, describe, expect, it } from 'vitest'
import type { Play } from '../../../../../test/upstream/start.ts'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

const anthropicIds = (body: Json): { calls: string[]; results: string[] } => {
  const blocks = body.messages.flatMap(({ content }: Json) =>
    Array.isArray(content) ? content : [],
  )
  return {
    calls: blocks.flatMap((each: Json) => (each.type === 'tool_use' ? [each.id] : [])),
    results: blocks.flatMap((each: Json) =>
      each.type === 'tool_result' ? [each.tool_use_id] : [],
    ),
  }
}

const chatIds = (body: Json): { calls: string[]; results: string[] } => ({
  calls: body.messages.flatMap(({ tool_calls = [] }: Json) =>
    tool_calls.map((each: Json) => each.id),
  ),
  results: body.messages.flatMap((each: Json) => (each.role === 'tool' ? [each.tool_call_id] : [])),
})

const refuse = (turn: Parameters<Play>[0], message: string) =>
  answerJson(turn, { type: 'error', error: { type: 'invalid_request_error', message } }, 400)

/**
 * "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" https://github.com/maximhq/bifrost/issues/5097
 * "`tool_use` ids must be unique" https://github.com/anthropics/claude-code/issues/28515
 */
const anthropic: Play = turn => {
  const { calls, results } = anthropicIds(receivedBody(turn))
  if (![...calls, ...results].every(each => /^[a-zA-Z0-9_-]+$/.test(each)))
    return refuse(turn, "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
  if (new Set(calls).size < calls.length) return refuse(turn, 'tool_use ids must be unique')
  if (results.some(each => !calls.includes(each)))
    return refuse(turn, 'unexpected `tool_use_id` found in `tool_result` blocks')
  answerJson(turn, {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input_tokens: 5, output_tokens: 2 },
  })
}

const chatVendor =
  (accepted: RegExp, message: string): Play =>
  turn => {
    const { calls, results } = chatIds(receivedBody(turn))
    if (![...calls, ...results].every(each => accepted.test(each))) return refuse(turn, message)
    if (results.some(each => !calls.includes(each))) return refuse(turn, 'no such call')
    answerJson(turn, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm' },
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    })
  }

beforeAll(async () => {
  await hub.addChannel(14, 'claude')
  await hub.addChannel(30, 'mistral')
  await hub.addChannel(1, 'gpt')
  await hub.addChannel(29, 'kimi')
  hub.upstream.play('claude', anthropic)
  // https://github.com/karthink/gptel/issues/1203
  hub.upstream.play(
    'mistral',
    chatVendor(/^[a-zA-Z0-9]{9}$/, 'Tool call id must be a-z, A-Z, 0-9, with a length of 9.'),
  )
  // https://github.com/microsoft/autogen/issues/6377
  hub.upstream.play('gpt', chatVendor(/^.{1,40}$/, 'Expected a string with maximum length 40'))
  // https://github.com/MoonshotAI/kimi-code/pull/2503: Kimi recognises its calls by `functions.name:index` only.
  hub.upstream.play('kimi', chatVendor(/^functions\.look:\d$/, 'Not an id of mine'))
})

const chatCall = (model: string, ids: readonly string[]) => ({
  model,
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  messages: [
    { role: 'user', content: 'Look.' },
    ...ids.flatMap(id => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: 'Seen.' },
    ]),
  ],
})

const messagesCall = (model: string, ids: readonly string[]) => ({
  model,
  max_tokens: 50,
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Look.' },
    ...ids.flatMap(id => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Seen.' }] },
    ]),
  ],
})

const responsesCall = (model: string, ids: readonly string[]) => ({
  model,
  store: false,
  tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
  input: [
    { role: 'user', content: 'Look.' },
    ...ids.flatMap(id => [
      { type: 'function_call', call_id: id, name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: id, output: 'Seen.' },
    ]),
  ],
})

const callers = [
  ['chat', '/v1/chat/completions', chatCall],
  ['Anthropic', '/v1/messages', messagesCall],
  ['Responses', '/v1/responses', responsesCall],
] as const

const oddIds = ['functions.look:0', 'functions.look:0', `call_${'x'.repeat(60)}`, 'a/b', 'call_ok1']

describe.each(callers)('ids of tool calls of a caller of %s', (name, path, call) => {
  const models = ['claude', 'mistral', 'gpt']
  // There is no OpenAI vendor of Responses here.
  it.each(models.filter(each => each !== 'gpt' || name !== 'Responses'))(
    'become ids that %s accepts',
    async model => {
      for (const ids of [oddIds, ['', '']]) {
        const response = await hub.post(path, call(model, ids))
        expect(response.status, await response.text()).toBe(200)
      }
    },
  )
})

it('the same conversation gets the same ids, and accepted ones stay as they are', async () => {
  hub.upstream.forget()
  for (const ids of [oddIds, [...oddIds, 'more:1']])
    await hub.post('/v1/messages', messagesCall('claude', ids))
  const [first, second] = hub.upstream.served.map(
    each => anthropicIds(JSON.parse(String(each.body))).calls,
  )
  expect(second!.slice(0, oddIds.length)).toEqual(first)
  expect(first!.at(-1)).toBe('call_ok1')
})

it('a vendor that needs its own ids back gets them', async () => {
  const ids = ['functions.look:0', 'functions.look:1']
  for (const [, path, call] of callers.filter(([name]) => name !== 'Anthropic')) {
    const response = await hub.post(path, call('kimi', ids))
    expect(response.status, await response.text()).toBe(200)
  }
})

it('headers of an Anthropic caller arrive, although its ids were replaced', async () => {
  hub.upstream.forget()
  await hub.post('/v1/messages', messagesCall('claude', oddIds), { 'anthropic-beta': 'some-2026' })
  expect(hub.upstream.served[0]!.headers['anthropic-beta']).toBe('some-2026')
})
