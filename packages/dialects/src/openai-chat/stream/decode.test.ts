import { expect, it } from 'vitest'
import type { ChatEvent } from '../../canon.ts'
import { collectAnswer } from '../../collect.ts'
import { openaiChat } from '../index.ts'

const own = 'openai-chat'

/** Decodes frames; a string is the data of a frame. */
const decodeAll = (frames: (object | string)[], event = '') => {
  const events: ChatEvent[] = []
  const decoder = openaiChat.decodeFrames(each => events.push(each))
  for (const frame of frames)
    decoder.pushFrame(typeof frame === 'string' ? frame : JSON.stringify(frame), event)
  return { events, decoder }
}
const done = '[DONE]'
const named = { id: 'r', model: 'm' }
const say = (delta: object, more: object = {}) => ({
  ...named,
  choices: [{ index: 0, delta, ...more }],
})
const finish = { ...named, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
/** The parts of the first answer. */
const parts = (deltas: object[]) =>
  collectAnswer(decodeAll([...deltas.map(each => say(each)), finish, done]).events).choices[0]
    ?.parts
const start = { type: 'start', id: 'r', model: 'm' }
const text = (words: string) => ({ type: 'text', text: words }) as const

// https://platform.openai.com/docs/api-reference/chat-streaming
it('a stream begins with what its chunks have in common, and ends with its usage', () => {
  const facts = { ...named, created: 5, service_tier: 'flex' }
  const { events } = decodeAll([
    { ...facts, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { ...facts, choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }] },
    { ...facts, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...facts, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    { ...facts, choices: [], usage: null },
    '[DONE] ',
    say({ content: 'nothing is heard behind the end' }),
  ])
  expect(events).toEqual([
    { ...start, createdAt: 5, tier: 'flex' },
    { type: 'part', index: 0, part: text('') },
    { type: 'delta', index: 0, text: 'hi' },
    { type: 'finish', finish: { reason: 'stop' } },
    {
      type: 'usage',
      reportedUsage: {
        usage: expect.objectContaining({ input: 1, output: 2 }),
        unknownFields: { dialect: own, fields: { prompt_tokens: 1, completion_tokens: 2 } },
      },
    },
    { type: 'end' },
  ])
})

it.each([
  [{ ...named, created: '5', service_tier: 5, choices: [] }, start],
  [{ choices: [{ delta: {} }] }, { type: 'start', id: '', model: '' }],
  [{ id: 'r' }, { type: 'start', id: 'r', model: '' }],
])('%j begins an answer as %j', (chunk, event) => {
  expect(decodeAll([chunk]).events).toEqual([event])
})

it('what comes before the answer has a name stands at its beginning', () => {
  const { events } = decodeAll([
    { id: '', choices: [], prompt_filter_results: [1] },
    { id: '', choices: [], a: 1 },
    say({ content: 'hi' }),
  ])
  const fields = { prompt_filter_results: [1], a: 1 }
  expect(events[0]).toEqual({ ...start, unknownFields: { dialect: own, fields } })
})

it('fields that vendors repeat in every chunk are told once for each place, and again where they change', () => {
  const chunk = (a: number, choices: object[]) => ({ ...named, a, choices })
  const choice = (index: number, x: number) => ({ index, x, delta: { z: x } })
  const { events } = decodeAll([
    chunk(1, [choice(0, 1)]),
    chunk(1, [choice(0, 1)]),
    chunk(2, [choice(1, 1)]),
    chunk(2, [choice(1, 2)]),
  ])
  const result = (fields: object, at?: number) => ({
    type: 'unknown-fields',
    ...(at === undefined ? {} : { choice: at }),
    unknownFields: { dialect: own, fields },
  })
  expect(events.slice(1)).toEqual([
    result({ x: 1 }, 0),
    result({ message: { z: 1 } }, 0),
    result({ a: 1 }),
    result({ x: 1 }, 1),
    result({ message: { z: 1 } }, 1),
    result({ a: 2 }),
    result({ x: 2 }, 1),
    result({ message: { z: 2 } }, 1),
  ])
})

it('several answers are kept apart, and the last word of each counts', () => {
  const { events } = decodeAll([
    { ...named, choices: [null, { index: -1, delta: { content: 'a' }, finish_reason: 'length' }] },
    { ...named, choices: [{ index: 2, message: { content: 'b' }, finish_reason: 'length' }] },
    {
      ...named,
      choices: [
        { delta: null, finish_reason: 'stop' },
        { index: 2, finish_reason: '' },
      ],
    },
    { ...named, choices: 'x' },
    done,
  ])
  expect(events.slice(1)).toEqual([
    { type: 'part', index: 0, part: text('') },
    { type: 'delta', index: 0, text: 'a' },
    { type: 'part', choice: 2, index: 0, part: text('') },
    { type: 'delta', choice: 2, index: 0, text: 'b' },
    { type: 'finish', finish: { reason: 'stop' } },
    { type: 'finish', choice: 2, finish: { reason: 'length' } },
    { type: 'end' },
  ])
})

// Moonshot tells the usage inside the last choice.
it('usage is heard inside a choice as well', () => {
  const { events } = decodeAll([say({}, { usage: { prompt_tokens: 3 } }), done])
  expect(events.at(-2)).toMatchObject({ type: 'usage', reportedUsage: { usage: { input: 3 } } })
})

it('an end without a beginning is an empty answer', () => {
  expect(decodeAll([done]).events).toEqual([{ type: 'start', id: '', model: '' }, { type: 'end' }])
})

it.each([['{'], ['7'], ['null'], ['[]'], ['"x"'], ['']])(
  '%j is no chunk, and is counted',
  frame => {
    const { events, decoder } = decodeAll([frame])
    expect([events, decoder.malformedFrames()]).toEqual([[], 1])
  },
)

it.each([
  ['{"error":{"message":"no","type":"t","code":"c"}}', '', { message: 'no', type: 't', code: 'c' }],
  ['{"error":"no"}', '', { message: 'no', type: '', code: '' }],
  ['{"object":"error","message":"no"}', '', { message: 'no', type: '', code: '' }],
  ['{"message":"no"}', 'error', { message: 'no', type: '', code: '' }],
])('%s (event %j) ends the stream as a failure', (frame, event, failure) => {
  const { events, decoder } = decodeAll([frame, '{', done], event)
  decoder.end()
  expect(events).toEqual([
    {
      type: 'failure',
      failure: { ...failure, unknownFields: { dialect: own, fields: { body: frame } } },
    },
  ])
})

it('a failure within an answer leaves it without a finish, and tells what was used', () => {
  const { events } = decodeAll([
    say({ content: 'hi' }, { finish_reason: 'stop', usage: { prompt_tokens: 3 } }),
    { error: { message: 'no' } },
  ])
  expect(events.map(event => event.type)).toEqual(['start', 'part', 'delta', 'usage', 'failure'])
})

it('no error is no failure', () => {
  const { events, decoder } = decodeAll([{ ...say({ content: 'hi' }), error: null }, { error: '' }])
  expect(events.map(event => event.type)).not.toContain('failure')
  expect(decoder.malformedFrames()).toBe(0)
})

it('bytes that end behind the last word are a whole answer, before it a broken one', () => {
  const whole = decodeAll([say({ content: 'hi' }), finish])
  whole.decoder.end()
  whole.decoder.end()
  expect(whole.events.slice(-2)).toEqual([
    { type: 'finish', finish: { reason: 'stop' } },
    { type: 'end' },
  ])
  const broken = decodeAll([say({ content: 'hi' })])
  broken.decoder.end()
  broken.decoder.end()
  expect(broken.events.slice(3)).toEqual([
    {
      type: 'failure',
      failure: {
        message: 'The stream ended before the answer was whole.',
        type: 'stream_broken',
        code: '',
      },
    },
  ])
})

it.each([
  [
    'one choice of two has its last word',
    [
      say({ content: 'hi' }),
      finish,
      { ...named, choices: [{ index: 1, delta: { content: 'x' } }] },
    ],
  ],
  [
    'each frame has a last word',
    ['a', 'b', 'c'].map(content => say({ content }, { finish_reason: 'stop' })),
  ],
])('bytes that end where %s are a broken answer', (_, frames) => {
  const { events, decoder } = decodeAll(frames)
  decoder.end()
  expect(events.at(-1)?.type).toBe('failure')
})

const signature = { dialect: 'gemini', text: 's' } as const
const signed = { extra_content: { google: { thought_signature: 's' } } }
const thinking = (words: string) => ({ type: 'thinking', text: words }) as const
const detail = (more: object) => ({ reasoning_details: [{ format: 'google-gemini-v1', ...more }] })
const cited = { type: 'url_citation', url_citation: { url: 'https://a.example' } }
const citation = { url: 'https://a.example', raw: { dialect: own, value: cited } }

it.each([
  [[{ content: '' }, { content: null }, { refusal: '' }, { tool_calls: 't', images: 'i' }], []],
  [[{ content: 'a' }, { content: 'b' }], [text('ab')]],
  [
    [{ refusal: 'n' }, { refusal: 'o' }, { content: 'a' }],
    [{ ...text('no'), refusal: true }, text('a')],
  ],
  [
    [{ content: 'a' }, { reasoning_content: 'b' }, { content: 'c' }],
    [text('a'), thinking('b'), text('c')],
  ],
  [[{ reasoning: 'a' }, { reasoning_content: 'b', reasoning: 'x' }], [thinking('ab')]],
  [
    [
      { reasoning: 'a', reasoning_details: [] },
      { reasoning: 'b', reasoning_details: 'x' },
    ],
    [thinking('ab')],
  ],
  [
    [
      { reasoning: 'a', ...detail({ text: 'a' }) },
      { reasoning: 'b', ...detail({}) },
    ],
    [thinking('ab')],
  ],
  [
    [{ reasoning: 'a' }, detail({ signature: 's' }), { reasoning: 'b' }],
    [{ ...thinking('a'), signature }, thinking('b')],
  ],
  [
    [detail({ data: 's' }), { content: 'a' }],
    [{ ...thinking(''), redacted: true, signature }, text('a')],
  ],
  // Mistral: https://docs.mistral.ai/capabilities/reasoning/
  [
    [
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }] },
      { content: [{ type: 'text', text: 'b' }, { type: 'text', text: '' }, { type: 'x' }] },
      { content: [null] },
    ],
    [
      thinking('a'),
      text('b'),
      { type: 'opaque', dialect: own, value: { type: 'x' } },
      { type: 'opaque', dialect: own, value: null },
    ],
  ],
  [
    [{ content: 'a', annotations: [cited] }, { annotations: [cited] }],
    [{ ...text('a'), citations: [citation, citation] }],
  ],
  // Sources are for texts: for the open one, or for the next.
  [
    [{ annotations: [cited] }, { content: 'a' }, { reasoning: 'b' }, { annotations: [cited] }],
    [{ ...text('a'), citations: [citation] }, thinking('b')],
  ],
  [
    [{ content: 'a' }, { refusal: 'no', annotations: [cited] }],
    [text('a'), { ...text('no'), refusal: true }],
  ],
  [
    [{ content: 'a', images: [{ type: 'image_url', image_url: { url: 'u' } }] }],
    [text('a'), { type: 'media', mime: 'image/*', url: 'u' }],
  ],
  [
    [
      { audio: { id: 'a1', data: 'AAAA' } },
      { audio: { data: 'BBBB', transcript: 'h' } },
      { audio: { transcript: 'i' } },
    ],
    [{ type: 'media', mime: 'audio/*', id: 'a1', base64: 'AAAABBBB', transcript: 'hi' }],
  ],
  [[{ ...signed }, { content: 'a', ...signed }], [{ ...text('a'), signature }]],
])('the deltas %j are the parts %j', (deltas, expected) => {
  expect(parts(deltas)).toEqual(expected)
})

it('what the model weighed is told with its words, and a weight of nothing is none', () => {
  const logprobs = [{ token: 'hi', logprob: -1 }]
  const chunk = (delta: object, weighed: object) => say(delta, { logprobs: weighed })
  const { events } = decodeAll([
    chunk({ content: 'hi' }, { content: logprobs }),
    chunk({ content: '' }, { content: logprobs }),
    chunk({ content: '' }, { content: [] }),
    chunk({ content: '!' }, { content: [] }),
    chunk({ refusal: 'no' }, { refusal: logprobs }),
    chunk({ refusal: 'no' }, {}),
  ])
  expect(events.slice(1)).toEqual([
    { type: 'part', index: 0, part: text('') },
    { type: 'delta', index: 0, text: 'hi', logprobs },
    { type: 'delta', index: 0, text: '', logprobs },
    { type: 'delta', index: 0, text: '!' },
    { type: 'part', index: 1, part: { ...text(''), refusal: true } },
    { type: 'delta', index: 1, text: 'no', logprobs },
    { type: 'delta', index: 1, text: 'no', logprobs: [] },
  ])
})

it('frames whose log probabilities are equal keep them, although only their texts differ', () => {
  const logprobs = [{ token: '', logprob: -1 }]
  // The blank makes the names of the text and of its probabilities different bytes.
  const chunk = (content: string) =>
    JSON.stringify(say({ content }, { logprobs: { content: logprobs } })).replace(
      '"content":[',
      '"content" :[',
    )
  const { events } = decodeAll(['a', 'b', 'c'].map(chunk))
  expect(events.slice(2)).toEqual(
    ['a', 'b', 'c'].map(each => ({ type: 'delta', index: 0, text: each, logprobs })),
  )
})

const piece = (given: object) => ({ tool_calls: [given] })
const open = (index: number, id: string, input = '') =>
  piece({ index, id, type: 'function', function: { name: id.toUpperCase(), arguments: input } })
const grow = (index: number, input: string) => piece({ index, function: { arguments: input } })
const call = (id: string, input: string) => ({
  type: 'tool-call',
  id,
  name: id.toUpperCase(),
  input,
})

it.each([
  ['pieces', [open(0, 'a'), grow(0, '{"x"'), grow(0, ':1}')], [call('a', '{"x":1}')]],
  [
    'one after the other',
    [open(0, 'a'), grow(0, '{}'), open(1, 'b'), grow(1, '[]')],
    [call('a', '{}'), call('b', '[]')],
  ],
  [
    'in turns',
    [open(0, 'a', '{'), open(1, 'b', '['), grow(1, ']'), open(2, 'c', '7'), grow(0, '}')],
    [call('a', '{}'), call('b', '[]'), call('c', '7')],
  ],
  [
    'in turns, and never whole',
    [open(0, 'a', '{'), open(1, 'b', '['), open(2, 'c', '{'), grow(1, '1'), grow(0, '"')],
    [call('a', '{"'), call('b', '[1'), call('c', '{')],
  ],
  [
    'in turns, and then words',
    [open(0, 'a', '{'), open(1, 'b', '['), { content: 'w' }, grow(1, 'late'), grow(0, 'late')],
    [call('a', '{late'), call('b', '[late'), text('w')],
  ],
  // A number whole as JSON at every digit is grown while no other call came.
  ['whole too early', [open(0, 'a', '1'), grow(0, '2')], [call('a', '12')]],
  [
    'without numbers',
    [
      piece({ id: 'a', function: { name: 'A', arguments: '{' } }),
      piece({ function: { arguments: '}' } }),
      piece({ id: 'b', function: { name: 'B', arguments: '{}' } }),
    ],
    [call('a', '{}'), call('b', '{}')],
  ],
  [
    'with one number for all',
    [open(0, 'a', '{}'), open(0, 'b', '['), grow(0, ']'), open(0, 'c'), grow(0, '{}')],
    [call('a', '{}'), call('b', '[]'), call('c', '{}')],
  ],
  [
    'with its id in every piece',
    [
      open(0, 'a', '{'),
      open(0, 'a', '}'),
      piece({ index: 0, id: 'x', function: { arguments: ' ' } }),
    ],
    [call('a', '{} ')],
  ],
  [
    'without ids',
    [grow(0, '{}'), grow(1, '[]')],
    [
      { ...call('', '{}'), name: '' },
      { ...call('', '[]'), name: '' },
    ],
  ],
  [
    'by the old field',
    [{ function_call: { name: 'F', arguments: '{' } }, { function_call: { arguments: '}' } }],
    [{ ...call('', '{}'), name: 'F' }],
  ],
  [
    'before words and after them',
    [{ content: 'v' }, open(0, 'a', '{}'), { content: 'w' }, open(1, 'b', '{}')],
    [text('v'), call('a', '{}'), text('w'), call('b', '{}')],
  ],
  [
    'of any text',
    [
      piece({ index: 0, id: 'a', custom: { name: 'A', input: 'l' } }),
      piece({ index: 0, custom: { input: 's' } }),
    ],
    [{ ...call('a', 'ls'), custom: true }],
  ],
  ['with a proof', [{ ...open(0, 'a', '{}'), ...signed }], [{ ...call('a', '{}'), signature }]],
  [
    'without numbers behind words',
    [open(0, 'a', '{}'), { content: 'w' }, piece({ function: { name: 'F', arguments: '{}' } })],
    [call('a', '{}'), text('w'), { ...call('', '{}'), name: 'F' }],
  ],
])('calls come %s', (_, deltas, expected) => {
  expect(parts(deltas)).toEqual(expected)
})

it('a call is told while it grows, and the next one as soon as it is whole', () => {
  const { events } = decodeAll([
    say(open(0, 'a', '{')),
    say(open(1, 'b', '[]')),
    say(open(2, 'c', '[')),
    say(grow(0, '}')),
  ])
  expect(events.slice(1)).toEqual([
    { type: 'part', index: 0, part: call('a', '{') },
    { type: 'delta', index: 0, text: '}' },
    { type: 'part', index: 1, part: call('b', '[]') },
    { type: 'part', index: 2, part: call('c', '[') },
  ])
  // A caller that waits for the word would not call.
  const called = decodeAll([say(open(0, 'a', '{}')), finish, done]).events
  expect(called.at(-2)).toMatchObject({ finish: { reason: 'tools' } })
})
