import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { Json } from '../json/json.ts'
import {
  bytesOf,
  changed,
  type Frame,
  observedUsage,
  streamMeaning,
  wholeMeaning,
} from './meaning.ts'

const usage = { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 3 }
const whole: Json = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
  content: [
    { type: 'thinking', thinking: 'so', signature: 'sig' },
    { type: 'text', text: 'hello' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ],
  ...{ stop_reason: 'tool_use', stop_sequence: null, usage },
}
const start = (index: number, content_block: object) => ({
  ...{ type: 'content_block_start', index, content_block },
})
const delta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const stream: Json[] = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
    },
  },
  start(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'so' }),
  delta(0, { type: 'signature_delta', signature: 'sig' }),
  stop(0),
  start(1, { type: 'text', text: '' }),
  delta(1, { type: 'text_delta', text: 'hel' }),
  delta(1, { type: 'text_delta', text: 'lo' }),
  stop(1),
  start(2, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
  delta(2, { type: 'input_json_delta', partial_json: '{"a"' }),
  delta(2, { type: 'input_json_delta', partial_json: ':1}' }),
  stop(2),
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
]
const of = (type: string) => (each: Json) => each.type === type
const without = (type: string) => stream.filter(each => each.type !== type)
const first = (frames: Json[]): Json => frames[0].message
const last = (frames: Json[]): Json => frames.find(of('message_delta'))
const counts = { input: 9, cached: 4, output: 3 }

/** Each variant of vendors and relays names where it was seen. */
const streams: Record<string, [source: string, frames: Frame[]]> = {
  'no usage in message_start': [
    'https://github.com/api7/aisix/pull/712',
    changed(stream, frames => {
      delete first(frames).usage
      last(frames).usage = usage
    }),
  ],
  'a usage of null in message_start': [
    'https://github.com/karthink/gptel/pull/1331',
    changed(stream, frames => {
      first(frames).usage = null
      last(frames).usage = usage
    }),
  ],
  'counts of 0 in message_start': [
    'https://github.com/lobehub/lobehub/pull/18612',
    changed(stream, frames => {
      first(frames).usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 }
      last(frames).usage = usage
    }),
  ],
  'counts of 0 and null in message_delta': [
    'https://github.com/NVIDIA/NeMo-Relay/pull/996',
    changed(stream, frames => {
      last(frames).usage = { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 3 }
    }),
  ],
  'no usage in message_delta': [
    'https://github.com/earendil-works/pi/issues/6567',
    changed(stream, frames => {
      first(frames).usage = usage
      delete last(frames).usage
    }),
  ],
  'a usage of null in message_delta': [
    'https://github.com/earendil-works/pi/issues/6567',
    changed(stream, frames => {
      first(frames).usage = usage
      last(frames).usage = null
    }),
  ],
  'a frame of usage alone before the end': [
    'https://github.com/routatic/proxy/pull/9',
    changed(stream, frames => {
      delete last(frames).usage
      frames.splice(-1, 0, { type: 'message_delta', delta: {}, usage })
    }),
  ],
  'several frames of usage': [
    'https://platform.claude.com/docs/en/build-with-claude/streaming#event-types',
    changed(stream, frames => {
      const early = { type: 'message_delta', delta: { stop_reason: null } }
      frames.splice(5, 0, { ...early, usage: { output_tokens: 1 } })
      frames.splice(9, 0, { ...early, usage: { output_tokens: 2 } })
    }),
  ],
  'a message_start without content, id and model': [
    'https://github.com/farion1231/cc-switch/pull/7396',
    changed(stream, frames => {
      frames[0].message = { type: 'message', usage: first(frames).usage }
    }),
  ],
  'no content_block_stop': [
    'https://github.com/xemantic/anthropic-sdk-kotlin/pull/147',
    without('content_block_stop'),
  ],
  'every content_block_stop at the end': [
    'https://github.com/invergent-ai/surogate/issues/113',
    [...without('content_block_stop').slice(0, -2), stop(0), stop(1), stop(2), ...stream.slice(-2)],
  ],
  'blocks without their empty text': [
    'https://github.com/BerriAI/litellm/pull/28069',
    changed(stream, frames => {
      for (const each of frames) {
        delete each.content_block?.text
        delete each.content_block?.thinking
        delete each.content_block?.signature
        delete each.content_block?.input
      }
    }),
  ],
  'blocks with a text of null': [
    'https://github.com/james-6-23/codex2api/pull/339',
    changed(stream, frames => {
      frames[1].content_block = { type: 'thinking', thinking: null, signature: null }
      frames[5].content_block = { type: 'text', text: null, citations: null }
      frames[9].content_block.input = null
    }),
  ],
  'blocks that hold all of their text': [
    'https://github.com/can1357/oh-my-pi/pull/8319',
    [
      stream[0],
      ...whole.content.flatMap((each: Json, index: number) => [start(index, each), stop(index)]),
      ...stream.slice(-2),
    ],
  ],
  'a block that holds the beginning of its text': [
    'https://github.com/can1357/oh-my-pi/pull/8319',
    changed(stream, frames => {
      frames[5].content_block.text = 'hel'
      frames.splice(6, 1)
    }),
  ],
  'empty deltas': [
    'https://github.com/BerriAI/litellm/pull/33315',
    changed(stream, frames => {
      frames.splice(11, 0, delta(2, { type: 'input_json_delta', partial_json: '' }))
      frames.splice(7, 0, delta(1, { type: 'text_delta', text: '' }))
      frames.splice(3, 0, delta(0, { type: 'thinking_delta', thinking: '' }))
      frames.splice(3, 0, delta(0, { type: 'signature_delta', signature: '' }))
    }),
  ],
  'no indexes': [
    'https://github.com/farion1231/cc-switch/pull/7044',
    changed(stream, frames => {
      for (const each of frames) delete each.index
    }),
  ],
  'blocks that nobody announced': [
    'https://github.com/anthropics/anthropic-sdk-python/pull/1273',
    stream.filter(each => !of('content_block_start')(each) || each.index === 2),
  ],
  'deltas of text and thinking within a block of another type': [
    'https://github.com/BerriAI/litellm/pull/25212',
    changed(stream, frames => {
      frames[1].content_block = { type: 'text', text: '' }
      frames.splice(4, 2)
      for (const each of frames) if (each.index > 0) each.index -= 1
    }),
  ],
  'gaps in the indexes': [
    'https://github.com/enricoros/big-AGI/issues/917',
    changed(stream, frames => {
      for (const each of frames) if (each.index > 0) each.index += 1
    }),
  ],
  'end_turn after a call': [
    'https://github.com/open-octo/octo-agent/pull/647',
    changed(stream, frames => {
      last(frames).delta.stop_reason = 'end_turn'
    }),
  ],
  'pings, comments and the [DONE] of OpenAI': [
    'https://platform.claude.com/docs/en/build-with-claude/streaming#ping-events',
    [': hi\n\n', ...stream.flatMap(each => [each, { type: 'ping' }, ':\n\n']), 'data: [DONE]\n\n'],
  ],
  'no names of events': [
    'https://github.com/openclaw/openclaw/issues/37571',
    stream.map(each => `data: ${JSON.stringify(each)}\n\n`),
  ],
}
it.each(Object.entries(streams))('a stream with %s means the same', (_name, [, frames]) => {
  const bytes = bytesOf(frames)
  const expected = streamMeaning(anthropic, bytesOf(stream))
  expect(expected.usage).toEqual(counts)
  expect(streamMeaning(anthropic, bytes)).toMatchObject({
    ...expected,
    malformed: expect.toSatisfy(count => count <= 1),
  })
  expect(observedUsage(anthropic, bytes)).toEqual({
    ...{ isComplete: true, failure: undefined, hasOutput: true },
    usage: counts,
  })
})

it('a text within the block of a call is no input of the call', () => {
  // https://github.com/sgl-project/sglang/issues/24293
  const frames = [...stream]
  frames.splice(-3, 0, delta(2, { type: 'text_delta', text: 'b' }))
  frames.splice(-3, 0, delta(2, { type: 'text_delta', text: 'ye' }))
  const { parts } = streamMeaning(anthropic, bytesOf(frames))
  expect(parts.slice(2)).toEqual([
    { type: 'tool-call', text: '{"a":1}', name: 'f' },
    { type: 'text', text: 'bye' },
  ])
})

const wholes: Record<string, [source: string, body: Json]> = {
  'no ids, roles and model': [
    'https://github.com/farion1231/cc-switch/pull/7396',
    { type: 'message', content: whole.content, stop_reason: 'tool_use', usage },
  ],
  'empty fields': [
    'https://github.com/james-6-23/codex2api/pull/339',
    changed(whole, body => {
      Object.assign(body, { id: '', model: null, stop_sequence: '', container: null })
      body.content[1].citations = null
      body.usage = { ...usage, cache_creation: null, server_tool_use: null, service_tier: '' }
    }),
  ],
  'empty blocks': [
    'https://github.com/BerriAI/litellm/pull/33315',
    changed(whole, body => {
      body.content.unshift({ type: '', text: '' })
      body.content.push({ type: 'tool_use', id: '', name: '', input: {} })
    }),
  ],
  'counts of null': [
    'https://github.com/karthink/gptel/pull/1331',
    changed(whole, body => {
      body.usage.cache_creation_input_tokens = null
      body.usage.output_tokens_details = null
    }),
  ],
}
it.each(Object.entries(wholes))('a whole answer with %s means the same', (_name, [, body]) => {
  expect(wholeMeaning(anthropic, body)).toEqual(wholeMeaning(anthropic, whole))
  const summary = anthropic.readAnswer(Buffer.from(JSON.stringify(body)))
  expect(summary).toMatchObject({ ok: true, usage: { input: 9, cacheRead: 4, output: 3 } })
})
