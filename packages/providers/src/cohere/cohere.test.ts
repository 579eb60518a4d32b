import { readFileSync } from 'node:fs'
import { type ChatEvent, collectAnswer, frameReader, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { cohereChat } from './dialect.ts'
import provider from './index.ts'

conform(
  provider,
  import.meta.url,
  { 'fault-402.json': 'upstream.funds' },
  {
    format: {
      path: /\/v2\/chat$/,
      usage: 'usage.billed_units',
      totals: ({ input_tokens: input = 0, output_tokens: output = 0 }) => ({
        input,
        total: input + output,
      }),
    },
  },
)

const encoded = (body: object) => {
  const read = openaiChat.decodeRequest(body)
  if (!read.ok) throw new Error(read.hint)
  const { body: sent, warnings } = cohereChat.encodeRequest(read.request)
  return { sent: JSON.parse(JSON.stringify(sent)), lost: warnings.map(each => each.dropped) }
}

const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: {} } },
}

it('writes a tool loop in the vendor\u2019s form, with the plan in place of the content', () => {
  const { sent, lost } = encoded({
    model: 'command-a-03-2025',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Madrid?' }] },
      {
        role: 'assistant',
        content: 'I will look up the weather.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '24 degrees' },
    ],
    tools: [weather],
    tool_choice: 'required',
    top_p: 0.5,
    stop: ['\n'],
    max_completion_tokens: 9,
    user: 'u1',
  })
  expect(sent).toEqual({
    model: 'command-a-03-2025',
    stream: false,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Madrid?' }] },
      {
        role: 'assistant',
        tool_plan: 'I will look up the weather.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '24 degrees' },
    ],
    tools: [weather],
    tool_choice: 'REQUIRED',
    p: 0.5,
    stop_sequences: ['\n'],
    max_tokens: 9,
  })
  expect(lost).toEqual(['user'])
})

it.each([
  [{ response_format: { type: 'json_object' } }, { response_format: { type: 'json_object' } }],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { a: 1 } } } },
    { response_format: { type: 'json_object', json_schema: { a: 1 } } },
  ],
  [{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
  [{ reasoning_effort: 'high' }, { thinking: { type: 'enabled' } }],
  [{ tools: [weather], tool_choice: 'none' }, { tool_choice: 'NONE' }],
])('%j becomes %j', (fields, expected) => {
  const messages = [{ role: 'user', content: 'Hi' }]
  expect(encoded({ model: 'm', messages, ...fields }).sent).toMatchObject(expected)
})

it('reads parallel calls and their plan from a stream', () => {
  const events: ChatEvent[] = []
  const decoder = cohereChat.decodeFrames(event => events.push(event))
  const reader = frameReader('sse', (data, event) => decoder.pushFrame(data, event))
  reader.push(readFileSync(new URL('./fixtures/tools.stream.sse', import.meta.url)))
  decoder.end()
  const [choice] = collectAnswer(events).choices
  expect(choice).toMatchObject({
    finish: { reason: 'tools' },
    parts: [
      { type: 'text', text: 'I will look up the weather.' },
      { type: 'tool-call', id: 'get_weather_m3kdvxncg1p8', input: '{"location": "Madrid"}' },
      { type: 'tool-call', id: 'get_weather_ffdpvebqxtfc', input: '{"location": "Brasilia"}' },
    ],
  })
})

it('reports a stream that ends before its finish as broken', () => {
  const events: ChatEvent[] = []
  const decoder = cohereChat.decodeFrames(event => events.push(event))
  decoder.pushFrame('{"type":"content-delta","delta":{"message":{"content":{"text":"a"}}}}', '')
  decoder.end()
  expect(events.at(-1)?.type).toBe('failure')
})

// https://docs.cohere.com/reference/list-models
it('lists the models for chat, embeddings and reranking', () => {
  const models = [
    { name: 'command-a-03-2025', endpoints: ['generate', 'chat', 'summarize'] },
    { name: 'embed-v4.0', endpoints: ['embed'] },
    { name: 'rerank-v3.5', endpoints: ['rerank'] },
    { name: 'classifier', endpoints: ['classify'] },
  ]
  expect(provider.readModelIds?.({ models })).toEqual([
    ...['command-a-03-2025', 'embed-v4.0', 'rerank-v3.5'],
  ])
})
