import { expect, it } from 'vitest'
import * as anthropic from './anthropic.ts'
import { CallError, errorOf, kindOf } from './errors.ts'
import * as gemini from './gemini.ts'
import * as openaiChat from './openai-chat.ts'
import * as openaiResponses from './openai-responses.ts'
import { addToolCalls, readLine, readStream } from './stream.ts'
import type { ChatCall, DialectClient, StreamPart, ToolCall } from './types.ts'

const plain: ChatCall = {
  ...{ model: 'm/x', system: ' ', tools: [] },
  messages: [{ role: 'user', text: 'Hi' }],
}
const full: ChatCall = {
  ...{ model: 'm/x', system: 'Be kind.', temperature: 0, topP: 1, maxTokens: 9, effort: 'low' },
  messages: [
    { role: 'user', text: 'Look', images: [{ type: 'image/png', data: 'AAAA' }] },
    { role: 'assistant', text: 'Yes' },
    { role: 'user', text: 'So?' },
  ],
  tools: [{ name: 'find', parameters: { type: 'object' } }],
}
const bodyOf = ({ encode }: DialectClient, call: ChatCall) => encode(call, 'sk-1').body

it('sends only what is set', () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  expect(bodyOf(openaiChat, plain)).toEqual({
    ...{ model: 'm/x', messages, stream: true, stream_options: { include_usage: true } },
  })
  expect(bodyOf(openaiResponses, plain)).toEqual({
    ...{ model: 'm/x', stream: true, store: false },
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
  })
  expect(bodyOf(anthropic, plain)).toEqual({
    ...{ model: 'm/x', messages, stream: true, max_tokens: 4096 },
  })
  expect(bodyOf(gemini, plain)).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
})

it('sends parameters, pictures and tools in the fields of each dialect', () => {
  expect(bodyOf(openaiChat, full)).toMatchObject({
    ...{ temperature: 0, top_p: 1, max_completion_tokens: 9, reasoning_effort: 'low' },
    messages: [
      { role: 'system', content: 'Be kind.' },
      { content: [{ image_url: { url: 'data:image/png;base64,AAAA' } }, { text: 'Look' }] },
      { role: 'assistant', content: 'Yes' },
      { content: 'So?' },
    ],
    tools: [{ type: 'function', function: { name: 'find' } }],
  })
  expect(bodyOf(openaiResponses, full)).toMatchObject({
    ...{ instructions: 'Be kind.', max_output_tokens: 9, reasoning: { effort: 'low' } },
    input: [
      { content: [{ image_url: 'data:image/png;base64,AAAA' }, { text: 'Look' }] },
      { content: [{ type: 'output_text', text: 'Yes' }] },
      { content: [{ type: 'input_text' }] },
    ],
    tools: [{ type: 'function', name: 'find' }],
  })
  expect(bodyOf(anthropic, full)).toMatchObject({
    ...{ system: 'Be kind.', max_tokens: 9, output_config: { effort: 'low' } },
    messages: [{ content: [{ source: { media_type: 'image/png', data: 'AAAA' } }, {}] }, {}, {}],
    tools: [{ name: 'find', input_schema: { type: 'object' } }],
  })
  expect(gemini.encode(full, 'sk-1').path).toBe(
    '/v1beta/models/m%2Fx:streamGenerateContent?alt=sse',
  )
  expect(bodyOf(gemini, full)).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    generationConfig: {
      ...{ temperature: 0, topP: 1, maxOutputTokens: 9 },
      thinkingConfig: { thinkingLevel: 'LOW' },
    },
    contents: [{ parts: [{ inlineData: { data: 'AAAA' } }, {}] }, { role: 'model' }, {}],
    tools: [{ functionDeclarations: [{ name: 'find', parametersJsonSchema: { type: 'object' } }] }],
  })
})

type Whole = { text: string; reasoning: string; calls: readonly ToolCall[]; usage: object }

/** Reads a stream that arrives byte by byte, the last line without a line end. */
const readAll = async ({ decode }: DialectClient, events: object[]): Promise<Whole> => {
  const bytes = new TextEncoder().encode(
    events.map(event => `data: ${JSON.stringify(event)}`).join('\r\n\r\n'),
  )
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const whole: Whole = { text: '', reasoning: '', calls: [], usage: {} }
  for await (const part of readStream(body, decode)) {
    whole.text += part.text ?? ''
    whole.reasoning += part.reasoning ?? ''
    whole.calls = addToolCalls(whole.calls, part.toolCalls ?? [])
    whole.usage = { ...whole.usage, ...part.usage }
  }
  return whole
}

const chunk = (delta: object) => ({ choices: [{ delta }] })
const piece = (index: number, more: object) => chunk({ tool_calls: [{ index, function: more }] })
const block = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more })
const candidate = (...parts: object[]) => ({ candidates: [{ content: { parts } }] })

/** One answer with reasoning, text, two tool calls and usage, as each dialect streams it. */
const streams: [string, DialectClient, object[]][] = [
  [
    'openai-chat',
    openaiChat,
    [
      // A vendor that sends both names sends the same text twice.
      chunk({ reasoning: 'Hm', reasoning_content: 'Hm' }),
      chunk({ content: '東' }),
      chunk({ content: '京' }),
      piece(0, { name: 'find', arguments: '{"a":' }),
      piece(1, { name: 'now', arguments: '{}' }),
      piece(0, { arguments: '1}' }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
    ],
  ],
  [
    'openai-responses',
    openaiResponses,
    [
      { type: 'response.created', response: { usage: null } },
      { type: 'response.reasoning_summary_text.delta', delta: 'Hm' },
      { type: 'response.output_text.delta', delta: '東京' },
      {
        type: 'response.output_item.added',
        output_index: 2,
        item: { type: 'function_call', name: 'find' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '1}' },
      {
        type: 'response.output_item.added',
        output_index: 3,
        item: { type: 'function_call', name: 'now' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 3, delta: '{}' },
      { type: 'response.completed', response: { usage: { input_tokens: 3, output_tokens: 4 } } },
    ],
  ],
  [
    'anthropic',
    anthropic,
    [
      {
        type: 'message_start',
        message: { usage: { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 1 } },
      },
      block(0, { type: 'thinking_delta', thinking: 'Hm' }),
      block(1, { type: 'text_delta', text: '東京' }),
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'find' } },
      block(2, { type: 'input_json_delta', partial_json: '{"a":1}' }),
      { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', name: 'now' } },
      block(3, { type: 'input_json_delta', partial_json: '{}' }),
      { type: 'message_delta', delta: {}, usage: { output_tokens: 4 } },
    ],
  ],
  [
    'gemini',
    gemini,
    [
      candidate({ text: 'Hm', thought: true }),
      candidate({ text: '東京' }),
      candidate({ functionCall: { name: 'find', args: { a: 1 } } }),
      {
        ...candidate({ functionCall: { name: 'now' } }),
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 3, thoughtsTokenCount: 1 },
      },
    ],
  ],
]

it.each(streams)('reads an answer of %s that arrives byte by byte', async (_, client, events) => {
  const { calls, ...whole } = await readAll(client, events)
  expect(whole).toEqual({ text: '東京', reasoning: 'Hm', usage: { input: 3, output: 4 } })
  expect(calls.map(each => [each.name, each.arguments])).toEqual([
    ['find', '{"a":1}'],
    ['now', '{}'],
  ])
})

it('ignores comments, names of events and the end mark', () => {
  const parts: (StreamPart | undefined)[] = ['', ': ping', 'event: x', 'data: [DONE]'].map(line =>
    readLine(line, openaiChat.decode),
  )
  expect(parts).toEqual([undefined, undefined, undefined, undefined])
})

it.each([
  { error: { message: 'The provider broke off.', code: 'upstream_broken' } },
  { type: 'error', error: { message: 'The provider broke off.', type: 'api_error' } },
  { type: 'error', message: 'The provider broke off.', code: 'upstream_broken' },
  { type: 'response.failed', response: { error: { message: 'The provider broke off.' } } },
])('an error in the middle of a stream throws with the message of the server: %j', event => {
  expect(() => readLine(`data: ${JSON.stringify(event)}`, openaiChat.decode)).toThrow(
    'The provider broke off.',
  )
})

it('a line that is cut off throws with the place, and is not lost in silence', () => {
  expect(() => readLine('data: {"choices":[{"del', openaiChat.decode)).toThrow(
    'broke off at: {"choices":[{"del',
  )
})

it.each([
  [429, { error: { code: 'insufficient_quota', message: 'm' } }, 'quota'],
  [402, { error: { type: 'billing_error', message: 'm' } }, 'quota'],
  [
    429,
    {
      error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'QUOTA_EXHAUSTED' }] },
    },
    'quota',
  ],
  [429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'rate'],
  [429, { error: { code: 429, details: [{ reason: 'QUOTA_HELD' }] } }, 'rate'],
  [429, { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }, 'rate'],
  [401, { error: { type: 'authentication_error' } }, 'key'],
  [403, { error: { code: 'ip_not_authorized' } }, 'denied'],
  [404, { error: { code: 'model_not_found' } }, 'model'],
  [400, { error: { code: 'request_invalid' } }, 'request'],
  [413, undefined, 'size'],
  [502, '<html>', 'upstream'],
] as const)('status %s with %j is of the kind %s', (status, body, kind) => {
  const error = errorOf(status, body)
  expect(error).toBeInstanceOf(CallError)
  expect(kindOf(error)).toBe(kind)
})
