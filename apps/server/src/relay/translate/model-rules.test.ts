import { beforeAll, expect, it } from 'vitest'
import { vendorChecks } from '../../../../../test/upstream/model-rules/index.ts'
import type { Play } from '../../../../../test/upstream/start.ts'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

const answers: Readonly<Record<string, object>> = {
  'openai-chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  },
  'openai-responses': {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ],
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
  },
  anthropic: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 5, output_tokens: 2 },
  },
}

const dialectOf = (path: string): string => {
  if (path.includes('/chat/completions')) return 'openai-chat'
  return path.includes('/responses') ? 'openai-responses' : 'anthropic'
}

/** A vendor that keeps its rules: it refuses what its documents forbid. */
const vendor =
  (provider: string): Play =>
  turn => {
    const dialect = dialectOf(turn.served.path)
    const message = vendorChecks[`${provider}/${dialect}`]!(receivedBody(turn), turn.served.model)
    if (message === undefined) return answerJson(turn, { model: 'm', ...answers[dialect] })
    answerJson(turn, { error: { message, type: 'invalid_request_error' } }, 400)
  }

const vendors = [
  ['openai', 1, 'gpt-6.1-sol'],
  ['openai', 1, 'o4-mini'],
  ['anthropic', 14, 'claude-fable-5-1'],
  ['anthropic', 14, 'claude-sonnet-5-5'],
  ['deepseek', 28, 'deepseek-v4-pro'],
  ['moonshot', 29, 'kimi-k2.6'],
  ['moonshot', 29, 'kimi-k3'],
  ['mistral', 30, 'mistral-large-latest'],
  ['qwen', 17, 'qwen3.6-plus'],
] as const
type Model = (typeof vendors)[number][2]

beforeAll(async () => {
  for (const [provider, type, model] of vendors) {
    await hub.addChannel(type, model)
    hub.upstream.play(model, vendor(provider))
  }
})

const user = (content: unknown) => ({ role: 'user', content })
const messagesTools = [{ name: 'look', input_schema: { type: 'object', properties: {} } }]
const chatTools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
const messages = (model: Model, fields: object) => ({
  model,
  max_tokens: 99,
  messages: [user('Hi')],
  ...fields,
})
const chat = (model: Model, fields: object) => ({ model, messages: [user('Hi')], ...fields })

const toolTurns = [
  user('Look it up.'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
  user([
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' },
    { type: 'text', text: 'And?' },
  ]),
]
const forced = { tools: messagesTools, tool_choice: { type: 'any' } }

const geminiForced = {
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  tools: [{ functionDeclarations: [{ name: 'look' }] }],
  toolConfig: { functionCallingConfig: { mode: 'ANY' } },
}

const notesOf = async (response: Response): Promise<string[] | undefined> => {
  const id = response.headers.get('x-request-id')
  const { body } = await hub.app.root.get('/api/log/?log_type=2')
  return body.data.data.find((each: Json) => String(each.id) === id)?.metadata.notes
}

it.each<[string, Model, object, object, string[]]>([
  [
    'thinking off becomes the lowest effort',
    'gpt-6.1-sol',
    { thinking: { type: 'disabled' } },
    { reasoning: { effort: 'low' } },
    ['openai-responses: reasoning off'],
  ],
  ['a temperature is left out', 'o4-mini', { temperature: 0.5 }, {}, ['openai-chat: temperature']],
  [
    'a forced tool turns thinking off',
    'deepseek-v4-pro',
    geminiForced,
    { tool_choice: 'required', thinking: { type: 'disabled' } },
    ['openai-chat: reasoning (tool_choice)'],
  ],
  [
    'a forced tool turns thinking off',
    'qwen3.6-plus',
    geminiForced,
    { tool_choice: 'required', enable_thinking: false },
    ['openai-chat: reasoning (tool_choice)'],
  ],
  [
    'words after a tool result follow a turn of the model',
    'mistral-large-latest',
    { messages: toolTurns, tools: messagesTools },
    {},
    ['openai-chat: messages.tool (order)'],
  ],
])('%s for a caller of %s who writes another dialect', async (_, model, fields, sent, notes) => {
  hub.upstream.forget()
  // Callers of Messages have an address of their own at some vendors.
  const response =
    fields === geminiForced
      ? await hub.post(`/v1beta/models/${model}:generateContent`, fields)
      : await hub.post('/v1/messages', messages(model, fields))
  expect(response.status, await response.text()).toBe(200)
  expect(JSON.parse(String(hub.upstream.served[0]!.body))).toMatchObject(sent)
  await expect.poll(() => notesOf(response)).toEqual(notes)
})

it.each(['deepseek-v4-pro', 'kimi-k2.6', 'kimi-k3'] as const)(
  'the second turn of a Gemini client has the thoughts that %s wants back',
  async model => {
    const response = await hub.post(`/v1beta/models/${model}:generateContent`, {
      contents: [
        { role: 'user', parts: [{ text: 'Look it up.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { a: 1 } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
    })
    expect(response.status, await response.text()).toBe(200)
  },
)

it.each<[string, string, object, string]>([
  [
    'a forced tool of a chat caller',
    '/v1/chat/completions',
    chat('claude-fable-5-1', { tools: chatTools, tool_choice: 'required' }),
    "'tool_choice' cannot force a tool: the model 'claude-fable-5-1'",
  ],
  [
    'words of the model at the end, of a chat caller',
    '/v1/chat/completions',
    chat('claude-fable-5-1', { messages: [user('Hi'), { role: 'assistant', content: '{' }] }),
    "'messages' must not end with the model's own words",
  ],
  [
    'effort none of a Responses caller',
    '/v1/responses',
    { model: 'claude-fable-5-1', store: false, input: 'Hi', reasoning: { effort: 'none' } },
    "'reasoning.effort' cannot turn thinking off",
  ],
  [
    'a forced tool of a Gemini caller',
    '/v1beta/models/kimi-k3:generateContent',
    geminiForced,
    "'toolConfig.functionCallingConfig.mode' cannot force a tool",
  ],
])('%s is refused before the vendor is asked', async (_, path, body, words) => {
  hub.upstream.forget()
  const response = await hub.post(path, body)
  const text = await response.text()
  expect(response.status, text).toBe(400)
  expect(JSON.stringify(JSON.parse(text)).replaceAll('\\u0027', "'")).toContain(words)
  expect(hub.upstream.served).toEqual([])
})

it('thinking off is said in the way of the newest model', async () => {
  hub.upstream.forget()
  const response = await hub.post(
    '/v1/chat/completions',
    chat('claude-sonnet-5-5', { reasoning_effort: 'none' }),
  )
  expect(response.status, await response.text()).toBe(200)
  expect(JSON.parse(String(hub.upstream.served[0]!.body)).thinking).toEqual({
    type: 'between_tools',
  })
})

it('the vendor itself answers its own callers, whose bytes and versions leave unchanged', async () => {
  hub.upstream.forget()
  const body = messages('claude-fable-5-1', forced)
  const headers = { 'anthropic-version': '2025-12-01', 'anthropic-beta': 'one-2026,two-2026' }
  const response = await hub.post('/v1/messages', body, headers)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain("tool_choice: type 'any' is not supported")
  const served = hub.upstream.served[0]!
  expect(JSON.parse(String(served.body))).toEqual(body)
  expect(served.headers).toMatchObject(headers)
})

it('a caller without a version gets that of the provider', async () => {
  hub.upstream.forget()
  await hub.post('/v1/messages', messages('claude-fable-5-1', {}))
  expect(hub.upstream.served[0]!.headers['anthropic-version']).toBe('2023-06-01')
})
