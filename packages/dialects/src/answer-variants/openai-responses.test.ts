import { expect, it } from 'vitest'
import type { Json } from '../json/json.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import {
  bytesOf,
  changed,
  type Frame,
  observedUsage,
  streamMeaning,
  wholeMeaning,
} from './meaning.ts'

const usage = {
  ...{ input_tokens: 9, input_tokens_details: { cached_tokens: 4 } },
  ...{ output_tokens: 3, output_tokens_details: { reasoning_tokens: 1 }, total_tokens: 12 },
}
const reasoning = {
  ...{ id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'so' }] },
  encrypted_content: 'sig',
}
const text = { type: 'output_text', text: 'hello', annotations: [] }
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [text] },
}
const call = {
  ...{ id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'f' },
  arguments: '{"a":1}',
}
const response = (status: string, output: object[], more = {}): Json => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output, ...more },
})
const whole = response('completed', [reasoning, message, call], { usage })
const ofItem = (index: number, id: string) => ({ output_index: index, item_id: id })
const added = (index: number, item: object) => ({
  ...{ type: 'response.output_item.added', output_index: index, item },
})
const done = (index: number, item: object) => ({
  ...{ type: 'response.output_item.done', output_index: index, item },
})
const inText = { ...ofItem(1, 'msg_1'), content_index: 0 }
const inSummary = { ...ofItem(0, 'rs_1'), summary_index: 0 }
const inCall = ofItem(2, 'fc_1')
const stream: Json[] = [
  { type: 'response.created', response: response('in_progress', [], { usage: null }) },
  { type: 'response.in_progress', response: response('in_progress', [], { usage: null }) },
  added(0, { ...reasoning, summary: [], encrypted_content: '' }),
  {
    type: 'response.reasoning_summary_part.added',
    ...inSummary,
    part: { ...reasoning.summary[0], text: '' },
  },
  { type: 'response.reasoning_summary_text.delta', ...inSummary, delta: 'so' },
  { type: 'response.reasoning_summary_text.done', ...inSummary, text: 'so' },
  { type: 'response.reasoning_summary_part.done', ...inSummary, part: reasoning.summary[0] },
  done(0, reasoning),
  added(1, { ...message, status: 'in_progress', content: [] }),
  { type: 'response.content_part.added', ...inText, part: { ...text, text: '' } },
  { type: 'response.output_text.delta', ...inText, delta: 'hel' },
  { type: 'response.output_text.delta', ...inText, delta: 'lo' },
  { type: 'response.output_text.done', ...inText, text: 'hello' },
  { type: 'response.content_part.done', ...inText, part: text },
  done(1, message),
  added(2, { ...call, status: 'in_progress', arguments: '' }),
  { type: 'response.function_call_arguments.delta', ...inCall, delta: '{"a"' },
  { type: 'response.function_call_arguments.delta', ...inCall, delta: ':1}' },
  { type: 'response.function_call_arguments.done', ...inCall, arguments: '{"a":1}' },
  done(2, call),
  { type: 'response.completed', response: whole },
]
const without = (...types: string[]) =>
  stream.filter(each => !types.some(type => each.type === `response.${type}`))
const last = (frames: Json[]): Json => frames.at(-1).response

const streams: Record<string, [source: string, frames: Frame[]]> = {
  'no output in response.completed': [
    'https://github.com/QuantumNous/new-api/issues/4362',
    changed(stream, frames => {
      last(frames).output = []
    }),
  ],
  'an absent output in response.completed': [
    'https://github.com/ENTERPILOT/GoModel/pull/831',
    changed(stream, frames => {
      delete last(frames).output
    }),
  ],
  'an output of null in response.completed': [
    'https://github.com/BerriAI/litellm/pull/32724',
    changed(stream, frames => {
      last(frames).output = null
    }),
  ],
  'the deltas of a text alone, and the output at the end': [
    'https://github.com/BerriAI/litellm/issues/22102',
    [...stream.slice(2, 8), stream[10], stream[11], ...stream.slice(15)],
  ],
  'a text that nobody announced, behind reasoning': [
    'https://github.com/BerriAI/litellm/issues/41185',
    stream.filter((_, at) => ![8, 9].includes(at)),
  ],
  'a text before the events that announce it': [
    'https://github.com/BerriAI/litellm/issues/22102',
    [...stream.slice(0, 8), stream[10], stream[8], stream[9], ...stream.slice(11)],
  ],
  'no response.content_part.added': [
    'https://github.com/BerriAI/litellm/pull/24445',
    without('content_part.added', 'reasoning_summary_part.added'),
  ],
  'no events that repeat a text': [
    'https://github.com/ogx-ai/ogx/issues/5309',
    without(
      ...['output_text.done', 'content_part.done', 'function_call_arguments.done'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done'],
    ),
  ],
  'items that only end': [
    'https://github.com/lidge-jun/opencodex/pull/4652',
    [...stream.slice(0, 2), stream[7], stream[14], stream[19], stream[20]],
  ],
  'arguments of a call that only end': [
    'https://github.com/lidge-jun/opencodex/pull/4652',
    without('function_call_arguments.delta'),
  ],
  'no output_index and content_index': [
    'https://github.com/lemonade-sdk/lemonade/issues/3607',
    changed(stream, frames => {
      for (const each of frames) {
        delete each.output_index
        delete each.content_index
        delete each.summary_index
      }
    }),
  ],
  'one output_index for all items': [
    'https://github.com/BerriAI/litellm/pull/36375',
    changed(stream, frames => {
      for (const each of frames) if (each.output_index) each.output_index = 0
    }),
  ],
  'another id in each event': [
    'https://github.com/BerriAI/litellm/pull/36375',
    changed(stream, frames => {
      for (const [at, each] of frames.entries()) {
        if (each.item_id) each.item_id = `item_${at}`
        if (each.item) each.item.id = `item_${at}`
      }
    }),
  ],
  'no items that end': [
    'https://github.com/BerriAI/litellm/pull/36375',
    without('output_item.done'),
  ],
  'no opening events': ['https://github.com/BerriAI/litellm/issues/22102', stream.slice(2)],
  'a status of completed from the beginning': [
    'https://github.com/github/copilot-sdk/pull/2010',
    changed(stream, frames => {
      for (const each of frames) if (each.response) each.response.status = 'completed'
      for (const each of frames) if (each.item) each.item.status = 'completed'
    }),
  ],
  'the whole output from the beginning': [
    'https://github.com/github/copilot-sdk/pull/2010',
    changed(stream, frames => {
      for (const each of frames) if (each.response) each.response.output = whole.output
    }),
  ],
  'empty fields': [
    'https://github.com/BerriAI/litellm/pull/36375',
    changed(stream, frames => {
      for (const each of frames) {
        if (each.part) Object.assign(each.part, { annotations: null, logprobs: null })
        if (each.item?.type === 'message') each.item.phase = ''
        if (each.item?.type === 'reasoning') each.item.content = null
        if (each.response) Object.assign(each.response, { error: null, incomplete_details: null })
      }
    }),
  ],
  'no names of events, comments and the [DONE] of chat': [
    'https://github.com/openclaw/openclaw/issues/37571',
    [': hi\n\n', ...stream.map(each => `data: ${JSON.stringify(each)}\n\n`), 'data: [DONE]\n\n'],
  ],
}
it.each(Object.entries(streams))('a stream with %s means the same', (_name, [, frames]) => {
  const bytes = bytesOf(frames)
  const expected = streamMeaning(openaiResponses, bytesOf(stream))
  expect(expected).toMatchObject({
    parts: [{ text: 'so' }, { text: 'hello' }, { name: 'f', text: '{"a":1}' }],
    ...{ finish: 'tools', usage: { input: 5, cached: 4, output: 3 } },
  })
  expect(streamMeaning(openaiResponses, bytes)).toEqual(expected)
  expect(observedUsage(openaiResponses, bytes)).toEqual({
    ...{ isComplete: true, failure: undefined, hasOutput: true },
    usage: expected.usage,
  })
})

it('texts that nobody announced and that have no index reach the caller as they come', () => {
  const frames = [
    { type: 'response.reasoning_text.delta', item_id: 'rs_1', delta: 'so' },
    { type: 'response.output_item.done', item: { type: 'reasoning', summary: [], content: [] } },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'hel' },
  ]
  const { parts } = streamMeaning(openaiResponses, bytesOf(frames))
  expect(parts.map(each => each.text)).toEqual(['so', 'hel'])
})

it('a stream without usage is an answer without usage', () => {
  // https://github.com/diegosouzapw/OmniRoute/issues/6906
  const frames = changed(stream, all => {
    delete last(all).usage
  })
  const expected = streamMeaning(openaiResponses, bytesOf(stream))
  expect(streamMeaning(openaiResponses, bytesOf(frames))).toEqual({ ...expected, usage: undefined })
  const { isComplete, usage: none } = observedUsage(openaiResponses, bytesOf(frames))
  expect([isComplete, none]).toEqual([true, undefined])
})

const wholes: Record<string, [source: string, body: Json]> = {
  'no ids, statuses and model': [
    'https://github.com/BerriAI/litellm/pull/36375',
    changed(whole, body => {
      delete body.id
      delete body.model
      for (const each of body.output) {
        delete each.id
        delete each.status
      }
    }),
  ],
  'empty fields': [
    'https://github.com/BerriAI/litellm/pull/36375',
    changed(whole, body => {
      Object.assign(body, { error: null, incomplete_details: null, metadata: null, user: '' })
      body.output[0].content = null
      Object.assign(body.output[1].content[0], { annotations: null, logprobs: null })
      body.usage.input_tokens_details.audio_tokens = null
    }),
  ],
  'a call without its own id': [
    'https://github.com/BerriAI/litellm/pull/36375',
    changed(whole, body => {
      body.output[2].call_id = ''
    }),
  ],
  'no status': [
    'https://github.com/lemonade-sdk/lemonade/issues/3607',
    changed(whole, body => {
      delete body.status
    }),
  ],
}
it.each(Object.entries(wholes))('a whole answer with %s means the same', (_name, [, body]) => {
  const expected = wholeMeaning(openaiResponses, whole)
  const meaning = wholeMeaning(openaiResponses, body)
  expect({ ...meaning, finish: meaning.finish ?? 'tools' }).toEqual(expected)
  const summary = openaiResponses.readAnswer(Buffer.from(JSON.stringify(body)))
  expect(summary).toMatchObject({ ok: true, usage: { input: 5, cacheRead: 4, output: 2 } })
  for (const part of openaiResponses.decodeAnswer(body).choices[0]!.parts)
    if (part.type === 'tool-call') expect(part.id).not.toBe('')
})
