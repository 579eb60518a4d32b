import { expect, it } from 'vitest'
import type { CallerFormat } from '../dialect.ts'
import { anthropic, gemini, openaiChat, openaiCompletions, openaiResponses } from '../index.ts'
import type { Emptiness } from './emptiness.ts'

const formats = { openaiChat, openaiCompletions, anthropic, gemini, openaiResponses }
type Name = keyof typeof formats
type Expected = Emptiness | 'output'

const request = { wantsUsage: true, n: 1 } as Parameters<
  NonNullable<CallerFormat['observeStream']>
>[0]

const chunk = (delta: unknown, finish_reason: unknown = null, more = {}) => ({
  choices: [{ index: 0, delta, finish_reason, ...more }],
})
const part = (value: unknown, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [value] }, finishReason }],
})
const item = (value: object, type = 'response.output_item.added') => ({ type, item: value })
const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block })
const delta = (value: object) => ({ type: 'content_block_delta', index: 0, delta: value })
const stop = (stop_reason: unknown) => ({ type: 'message_delta', delta: { stop_reason } })
const filters = { content_filter_results: { hate: { filtered: false, severity: 'safe' } } }

const frames: [Name, unknown, Expected][] = [
  ['openaiChat', chunk({ role: 'assistant', content: '', refusal: null }), 'unfinished'],
  ['openaiChat', chunk({ role: 'assistant', content: null, tool_calls: [] }), 'unfinished'],
  ['openaiChat', chunk({ role: 'assistant' }, null, filters), 'unfinished'],
  ['openaiChat', { choices: [], prompt_filter_results: [{ severity: 'safe' }] }, 'unfinished'],
  ['openaiChat', { choices: [], usage: { prompt_tokens: 9, completion_tokens: 0 } }, 'unfinished'],
  ['openaiChat', chunk({ content: '' }, ''), 'unfinished'],
  ['openaiChat', chunk({}, 'stop'), 'stopped'],
  ['openaiChat', chunk({}, 'length'), 'limited'],
  ['openaiChat', chunk({}, 'content_filter'), 'limited'],
  ['openaiChat', chunk({ content: 'x' }), 'output'],
  ['openaiChat', chunk({ refusal: 'no' }), 'output'],
  ['openaiChat', chunk({ reasoning_content: 'x' }), 'output'],
  ['openaiChat', chunk({ reasoning: 'x' }), 'output'],
  ['openaiChat', chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] }), 'output'],
  ['openaiChat', chunk({ audio: { id: 'audio_1', data: 'AAAA' } }), 'output'],
  ['openaiChat', chunk({ images: [{ image_url: { url: 'data:image/png,' } }] }), 'output'],
  ['openaiCompletions', { choices: [{ text: '', finish_reason: null }] }, 'unfinished'],
  ['openaiCompletions', { choices: [{ text: '', finish_reason: 'stop' }] }, 'stopped'],
  ['openaiCompletions', { choices: [{ text: 'x', finish_reason: null }] }, 'output'],
  ['anthropic', { type: 'message_start', message: { content: [], usage: {} } }, 'unfinished'],
  ['anthropic', { type: 'ping' }, 'unfinished'],
  ['anthropic', block({ type: 'text', text: '' }), 'unfinished'],
  ['anthropic', block({ type: 'thinking', thinking: '', signature: '' }), 'unfinished'],
  ['anthropic', delta({ type: 'signature_delta', signature: 'abc' }), 'unfinished'],
  ['anthropic', { type: 'content_block_stop', index: 0 }, 'unfinished'],
  ['anthropic', stop(null), 'unfinished'],
  ['anthropic', stop('end_turn'), 'stopped'],
  ['anthropic', stop('max_tokens'), 'limited'],
  ['anthropic', stop('refusal'), 'limited'],
  ['anthropic', delta({ type: 'text_delta', text: 'x' }), 'output'],
  ['anthropic', delta({ type: 'thinking_delta', thinking: 'x' }), 'output'],
  ['anthropic', block({ type: 'tool_use', id: 't', name: 'f', input: {} }), 'output'],
  ['anthropic', block({ type: 'redacted_thinking', data: 'x' }), 'output'],
  ['gemini', { usageMetadata: { promptTokenCount: 9 } }, 'unfinished'],
  ['gemini', { candidates: [{ content: { role: 'model' } }] }, 'unfinished'],
  ['gemini', part({ text: '', thoughtSignature: 'abc' }), 'unfinished'],
  ['gemini', { candidates: [null] }, 'unfinished'],
  ['gemini', part({ text: '' }, 'STOP'), 'stopped'],
  ['gemini', part({ text: '' }, 'SAFETY'), 'limited'],
  ['gemini', { promptFeedback: { blockReason: 'SAFETY' } }, 'limited'],
  ['gemini', part({ text: 'x' }), 'output'],
  ['gemini', part({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }), 'output'],
  ['gemini', part({ functionCall: { name: 'f', args: {} } }), 'output'],
  ['openaiResponses', { type: 'response.created', response: { id: 'resp_1' } }, 'unfinished'],
  ['openaiResponses', { type: 'response.in_progress', response: { id: 'r' } }, 'unfinished'],
  ['openaiResponses', { type: 'response.queued', response: { id: 'r' } }, 'unfinished'],
  ['openaiResponses', item({ id: 'm', type: 'message', content: [] }), 'unfinished'],
  [
    'openaiResponses',
    item({ id: 'r', type: 'reasoning', summary: [], encrypted_content: 'x' }),
    'unfinished',
  ],
  [
    'openaiResponses',
    { type: 'response.content_part.added', item_id: 'm', part: { type: 'output_text', text: '' } },
    'unfinished',
  ],
  [
    'openaiResponses',
    { type: 'response.completed', response: { status: 'completed', output: [] } },
    'stopped',
  ],
  [
    'openaiResponses',
    { type: 'response.incomplete', response: { status: 'incomplete', output: [] } },
    'limited',
  ],
  ['openaiResponses', { type: 'response.output_text.delta', delta: 'x' }, 'output'],
  ['openaiResponses', { type: 'response.refusal.delta', delta: 'x' }, 'output'],
  ['openaiResponses', { type: 'response.reasoning_summary_text.delta', delta: 'x' }, 'output'],
  ['openaiResponses', { type: 'response.audio.delta', delta: 'AAAA' }, 'output'],
  ['openaiResponses', item({ id: 'f', type: 'function_call', name: 'f' }), 'output'],
  ['openaiResponses', item({ id: 'w', type: 'web_search_call' }), 'output'],
]

const observe = (name: Name, value: unknown): Expected => {
  const observer = formats[name].observeStream!(request)
  const { type } = value as { type?: string }
  observer.push(Buffer.from(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(value)}\n\n`))
  return observer.emptiness!() ?? 'output'
}

it.each(frames)('a first frame of %s, %j, leaves the answer %s', (name, value, expected) => {
  expect(observe(name, value)).toBe(expected)
})

it.each(frames.filter(([, , expected]) => expected === 'output'))(
  'a finish after the output of %s, %j, does not make the answer empty',
  (name, value) => {
    const observer = formats[name].observeStream!(request)
    const last = frames.find(each => each[0] === name && each[2] === 'stopped')![1]
    for (const each of [value, last])
      observer.push(Buffer.from(`data: ${JSON.stringify(each)}\n\n`))
    expect(observer.emptiness!()).toBeUndefined()
  },
)

const message = (content: unknown, finish_reason: unknown, more = {}) => ({
  choices: [{ message: { role: 'assistant', content, ...more }, finish_reason }],
  usage: { prompt_tokens: 9, completion_tokens: 3 },
})
const answer = (content: unknown[], stop_reason: unknown) => ({
  ...{ type: 'message', role: 'assistant', content, stop_reason },
  usage: { input_tokens: 9, output_tokens: 3 },
})
const response = (output: unknown[], status: unknown) => ({
  object: 'response',
  output,
  status,
  usage: { input_tokens: 9, output_tokens: 3 },
})

const wholes: [Name, unknown, Expected][] = [
  ['openaiChat', { choices: [], usage: { prompt_tokens: 9 } }, 'unfinished'],
  ['openaiChat', message('', null), 'unfinished'],
  ['openaiChat', message('', 'stop'), 'stopped'],
  ['openaiChat', message(null, 'content_filter'), 'limited'],
  ['openaiChat', message('x', null), 'output'],
  ['openaiChat', message(null, 'stop', { audio: { id: 'a', data: 'AAAA' } }), 'output'],
  ['openaiChat', message(null, 'tool_calls', { tool_calls: [{ id: 'c' }] }), 'output'],
  ['openaiCompletions', { choices: [{ text: '', finish_reason: 'stop' }] }, 'stopped'],
  ['openaiCompletions', { choices: [{ text: 'x' }], usage: { completion_tokens: 1 } }, 'output'],
  ['anthropic', answer([], null), 'unfinished'],
  ['anthropic', answer([], 'end_turn'), 'stopped'],
  ['anthropic', answer([{ type: 'text', text: '' }], 'max_tokens'), 'limited'],
  ['anthropic', answer([{ type: 'tool_use', id: 't', name: 'f', input: {} }], 'x'), 'output'],
  ['gemini', { candidates: [] }, 'unfinished'],
  ['gemini', part({ text: '' }, 'FINISH_REASON_UNSPECIFIED'), 'unfinished'],
  ['gemini', part({ text: '' }, 'STOP'), 'stopped'],
  ['gemini', { promptFeedback: { blockReason: 'OTHER' } }, 'limited'],
  ['gemini', { totalTokens: 9 }, 'output'],
  ['gemini', { embedding: { values: [1] } }, 'output'],
  ['openaiResponses', response([], undefined), 'unfinished'],
  ['openaiResponses', response([], 'constructor'), 'unfinished'],
  ['openaiResponses', response([{ type: 'reasoning', summary: [] }], 'completed'), 'stopped'],
  ['openaiResponses', response([], 'incomplete'), 'limited'],
  [
    'openaiResponses',
    response([{ type: 'image_generation_call', result: 'AAAA' }], 'completed'),
    'output',
  ],
]

it.each(wholes)('a whole answer of %s, %j, is %s', (name, value, expected) => {
  const summary = formats[name].readAnswer(Buffer.from(JSON.stringify(value)))
  if (!summary.ok) throw new Error('not an answer')
  expect(summary.emptiness ?? 'output').toBe(expected)
})
