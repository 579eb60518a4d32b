import { beforeAll, describe, expect, it } from 'vitest'
import type { Play } from '../../../../../test/upstream/start.ts'
import {
  answerJson,
  answerStream,
  framesOf,
  type Json,
  receivedBody,
  useRelayHub,
} from '../../../test/relay-hub.ts'

const hub = useRelayHub()
const longName = `mcp__plugin_everything-claude-code_playwright__browser.console:messages${'_x'.repeat(40)}`
const schema = { type: 'object', properties: { name: { type: 'string', default: 'not.a:name' } } }

const allNames = (value: Json): string[] => {
  if (Array.isArray(value)) return value.flatMap(allNames)
  if (typeof value !== 'object' || value === null) return []
  const { name, parameters, input_schema, parametersJsonSchema, ...rest } = value
  return [...(typeof name === 'string' ? [name] : []), ...allNames(Object.values(rest))]
}

/** The tool that the vendor knows, unless it refuses the request for a name. */
const acceptedName = (turn: Parameters<Play>[0], accepted: RegExp): string | undefined => {
  const names = allNames(receivedBody(turn))
  const refused = names.find(each => !accepted.test(each))
  if (refused === undefined) return names[0]
  const message = `Invalid tool name '${refused}': must match ${accepted}`
  answerJson(turn, { error: { message, type: 'invalid_request_error' } }, 400)
  return undefined
}

const chatUsage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }

/** https://platform.openai.com/docs/api-reference/chat/create: at most 64 of a-z, A-Z, 0-9, underscores and dashes. */
const openai: Play = turn => {
  const name = acceptedName(turn, /^[a-zA-Z0-9_-]{1,64}$/)
  if (name === undefined) return
  const call = { id: 'call_1', type: 'function', function: { name, arguments: '{}' } }
  const head = { id: 'chatcmpl-1', model: 'm' }
  if (!turn.stream)
    return answerJson(turn, {
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [call] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: chatUsage,
    })
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  turn.response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frames = [
    chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call }] }),
    chunk({}, 'tool_calls'),
    { ...head, object: 'chat.completion.chunk', choices: [], usage: chatUsage },
  ]
  for (const each of frames) turn.response.write(`data: ${JSON.stringify(each)}\n\n`)
  turn.response.end('data: [DONE]\n\n')
}

/** https://github.com/home-assistant/core/issues/147760: "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'". */
const anthropic: Play = turn => {
  const name = acceptedName(turn, /^[a-zA-Z0-9_-]{1,128}$/)
  if (name === undefined) return
  const block = { type: 'tool_use', id: 'toolu_1', name, input: {} }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }
  const usage = { input_tokens: 5, output_tokens: 2 }
  if (!turn.stream)
    return answerJson(turn, { ...head, content: [block], stop_reason: 'tool_use', usage })
  answerStream(turn, [
    { type: 'message_start', message: { ...head, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
    { type: 'message_stop' },
  ])
}

beforeAll(async () => {
  await hub.addChannel(1, 'gpt-tools')
  await hub.addChannel(14, 'claude-tools')
  hub.upstream.play('gpt-tools', openai)
  hub.upstream.play('claude-tools', anthropic)
})

const ask = async (path: string, body: Json): Promise<string> => {
  const response = await hub.post(path, body)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

const chatTurns = [
  { role: 'user', content: 'Look.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a1', type: 'function', function: { name: longName, arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a1', content: 'Seen.' },
]
const chatCall = (model: string, stream: boolean) => ({
  model,
  stream,
  messages: chatTurns,
  tools: [{ type: 'function', function: { name: longName, parameters: schema } }],
  tool_choice: { type: 'function', function: { name: longName } },
})

const messagesCall = (model: string, stream: boolean) => ({
  model,
  stream,
  max_tokens: 50,
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a1', name: longName, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a1', content: 'Seen.' }] },
  ],
  tools: [{ name: longName, input_schema: schema }],
  tool_choice: { type: 'tool', name: longName },
})

describe('a tool whose name the vendor refuses is renamed, and called by its own name', () => {
  it.each(['gpt-tools', 'claude-tools'])('for a chat caller of %s', async model => {
    const whole = JSON.parse(await ask('/v1/chat/completions', chatCall(model, false)))
    expect(whole.choices[0].message.tool_calls[0].function.name).toBe(longName)
    const streamed = framesOf(await ask('/v1/chat/completions', chatCall(model, true)))
    const calls = streamed.flatMap(each => each.choices[0]?.delta.tool_calls ?? [])
    expect(calls[0].function.name).toBe(longName)
  })

  it.each(['gpt-tools', 'claude-tools'])('for an Anthropic caller of %s', async model => {
    const whole = JSON.parse(await ask('/v1/messages', messagesCall(model, false)))
    expect(whole.content[0].name).toBe(longName)
    const streamed = framesOf(await ask('/v1/messages', messagesCall(model, true)))
    const start = streamed.find(each => each.type === 'content_block_start')
    expect(start.content_block.name).toBe(longName)
  })

  it('for a Responses caller', async () => {
    const body = {
      model: 'claude-tools',
      store: false,
      input: [
        { role: 'user', content: 'Look.' },
        { type: 'function_call', call_id: 'a1', name: longName, arguments: '{}' },
        { type: 'function_call_output', call_id: 'a1', output: 'Seen.' },
      ],
      tools: [{ type: 'function', name: longName, parameters: schema }],
    }
    const whole = JSON.parse(await ask('/v1/responses', body))
    expect(whole.output[0].name).toBe(longName)
    const streamed = framesOf(await ask('/v1/responses', { ...body, stream: true }))
    expect(streamed.at(-1).response.output[0].name).toBe(longName)
  })

  it('for a Gemini caller', async () => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'Look.' }] }],
      tools: [{ functionDeclarations: [{ name: longName, parametersJsonSchema: schema }] }],
    }
    const whole = JSON.parse(await ask('/v1beta/models/gpt-tools:generateContent', body))
    expect(whole.candidates[0].content.parts[0].functionCall.name).toBe(longName)
  })
})

it('the bytes of a caller pass where only a schema has a refused name', async () => {
  hub.upstream.forget()
  const tools = [
    { type: 'function', function: { name: 'look', parameters: { examples: [{ name: 'a.b' }] } } },
  ]
  const body = { model: 'gpt-tools', messages: [{ role: 'user', content: 'x' }], tools, zzz: 1 }
  await ask('/v1/chat/completions', body)
  expect(String(hub.upstream.served[0]!.body)).toBe(JSON.stringify(body))
})
