import { expect, it } from 'vitest'
import type { ChatEvent, Part } from '../../canon.ts'
import type { EncodeOptions } from '../../dialect.ts'
import { noUsage } from '../../usage.ts'
import { openaiChat } from '../index.ts'

const own = 'openai-chat'
const start = { type: 'start', id: 'r', model: 'm' } as const
const part = (index: number, part: Part, choice?: number): ChatEvent => ({
  type: 'part',
  ...(choice === undefined ? {} : { choice }),
  index,
  part,
})
const delta = (index: number, text: string) => ({ type: 'delta', index, text }) as const
const finish = { type: 'finish', finish: { reason: 'stop' } } as const
const end = { type: 'end' } as const

const encodeAll = (events: ChatEvent[], options?: EncodeOptions) => {
  const encoder = openaiChat.encodeEvents(options)
  const text = events.map(event => encoder.push(event)).join('')
  const frames = text.split('\n\n').slice(0, -1)
  return {
    text,
    frames: frames.map(frame =>
      frame === 'data: [DONE]' ? 'done' : JSON.parse(frame.replace('data: ', '')),
    ),
    dropped: encoder.warnings.map(each => each.dropped),
  }
}
/** The deltas of the first answer behind the one that names the role. */
const deltas = (events: ChatEvent[], options?: EncodeOptions) => {
  const { frames, dropped } = encodeAll([start, ...events, end], options)
  return {
    deltas: frames
      .flatMap(frame => frame.choices?.map((each: { delta: object }) => each.delta))
      .slice(1, -2),
    dropped,
  }
}
const text: Part = { type: 'text', text: '' }
const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '' }
const thinking: Part = { type: 'thinking', text: '' }
const foreign = { dialect: 'gemini', fields: { a: 1 } } as const
const mine = { dialect: own, fields: { x: 1 } } as const

// https://platform.openai.com/docs/api-reference/chat-streaming
it('every chunk names the answer, the first its role, and the last why it ends', () => {
  const head = { id: 'r', object: 'chat.completion.chunk', created: 5, model: 'm' }
  const going = { logprobs: null, finish_reason: null }
  expect(
    encodeAll([{ ...start, createdAt: 5 }, part(0, text), delta(0, 'hi'), finish, end]),
  ).toEqual({
    text: expect.stringMatching(/\n\ndata: \[DONE\]\n\n$/),
    frames: [
      {
        ...head,
        choices: [{ index: 0, delta: { role: 'assistant', content: '', refusal: null }, ...going }],
      },
      { ...head, choices: [{ index: 0, delta: { content: 'hi' }, ...going }] },
      { ...head, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }] },
      'done',
    ],
    dropped: [],
  })
})

it.each([
  [start, {}, { created: 0 }],
  [start, { createdAt: 7 }, { created: 7 }],
  [
    { ...start, createdAt: 5, tier: 'flex' },
    { createdAt: 7 },
    { created: 5, service_tier: 'flex' },
  ],
  [{ ...start, unknownFields: mine }, {}, { created: 0, x: 1 }],
  [{ ...start, unknownFields: foreign }, {}, { created: 0 }],
])('%j, told with %j, begins with %j', (event, options, facts) => {
  const { frames, dropped } = encodeAll([event], options)
  const { choices: _, ...rest } = frames[0]
  expect(rest).toEqual({ id: 'r', object: 'chat.completion.chunk', model: 'm', ...facts })
  expect(dropped).toEqual(
    'unknownFields' in event && event.unknownFields.dialect === 'gemini' ? ['a'] : [],
  )
})

it('usage is told to whoever asked for it, the last that was said, in a chunk of its own', () => {
  const given = (input: number) => ({ usage: { ...noUsage(), input } })
  const events: ChatEvent[] = [{ ...start, reportedUsage: given(1) }, finish]
  const later: ChatEvent[] = [...events, { type: 'usage', reportedUsage: given(2) }]
  const params = encodeAll([...later, end], { wantsUsage: true }).frames
  expect(params.map(frame => frame.usage)).toEqual([
    null,
    null,
    expect.objectContaining({ prompt_tokens: 2 }),
    undefined,
  ])
  expect(params.at(-2)).toMatchObject({ id: 'r', choices: [] })
  expect(encodeAll([...events, end], { wantsUsage: true }).frames.at(-2).usage.prompt_tokens).toBe(
    1,
  )
  expect(encodeAll([...later, end]).text).not.toContain('usage')
  expect(encodeAll([start, end], { wantsUsage: true }).frames).toHaveLength(3)
  const reportedUsage = {
    usage: 'broken',
    unknownFields: { dialect: own, fields: { x: 1 } },
  } as const
  expect(
    encodeAll([start, { type: 'usage', reportedUsage }, end], { wantsUsage: true }).frames.at(-2)
      .usage,
  ).toEqual({ x: 1 })
})

it('an answer that nobody ended stops at the end, and nothing is told behind it', () => {
  const two = encodeAll([start, part(0, text, 2), finish, end, start, delta(0, 'x'), end])
  expect(
    two.frames
      .slice(0, -1)
      .map(({ choices: [{ index, finish_reason }] }) => [index, finish_reason]),
  ).toEqual([
    [0, null],
    [2, null],
    [0, 'stop'],
    [2, 'stop'],
  ])
  expect(encodeAll([end, end]).text).toBe('data: [DONE]\n\n')
})

it.each([
  ['', null],
  ['c', 'c'],
])('a failure with the code %j is the last word', (code, result) => {
  const failure = { message: 'No.', type: 't', code }
  expect(encodeAll([{ type: 'failure', failure }, end]).frames).toEqual([
    { error: { message: 'No.', type: 't', param: null, code: result } },
  ])
})

const sig = { google: { thought_signature: 's' } }
const gemini = { dialect: 'gemini', text: 's' } as const
const proofOf = (index: number, by: 'gemini' | 'anthropic') =>
  ({ type: 'signature', index, signature: { dialect: by, text: 's' } }) as const
const detail = { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1' }
const citation = { url: 'https://a.example' }
const annotation = (start_index: number, end_index: number) => ({
  annotations: [
    {
      type: 'url_citation',
      url_citation: { url: citation.url, title: citation.url, start_index, end_index },
    },
  ],
})
const fn = (index: number, given: object) => ({
  tool_calls: [
    { index, id: 'c', type: 'function', function: { name: 'f', arguments: '' }, ...given },
  ],
})

it.each<[ChatEvent[], object[], string[]]>([
  [
    [part(0, { type: 'text', text: 'hi' }), delta(0, '!')],
    [{ content: 'hi' }, { content: '!' }],
    [],
  ],
  [[part(0, { ...text, refusal: true }), delta(0, 'no')], [{ refusal: 'no' }], []],
  [[part(0, { ...text, unknownFields: foreign })], [], ['a']],
  [[delta(0, 'before any part')], [], []],
  [[part(0, thinking), delta(0, 'so')], [{ reasoning_content: 'so' }], []],
  [[part(0, { ...thinking, text: 'so' })], [{ reasoning_content: 'so' }], []],
  [[part(0, { ...thinking, unknownFields: foreign })], [], ['a']],
  [
    [part(0, { ...thinking, text: 'so', signature: { dialect: 'anthropic', text: 's' } })],
    [{ reasoning_content: 'so', reasoning_details: [{ ...detail, index: 0 }] }],
    [],
  ],
  [
    [part(0, { ...thinking, unknownFields: mine })],
    [{ reasoning_details: [{ type: 'reasoning.text', format: 'unknown', index: 0, x: 1 }] }],
    [],
  ],
  [
    [
      part(0, {
        ...thinking,
        text: 'so',
        unknownFields: { dialect: own, fields: { type: 'reasoning.summary' } },
      }),
    ],
    [
      {
        reasoning_content: 'so',
        reasoning_details: [{ type: 'reasoning.summary', format: 'unknown', index: 0 }],
      },
    ],
    [],
  ],
  [
    [
      ...[part(0, thinking), delta(0, 'so'), proofOf(0, 'anthropic')],
      ...[part(1, { ...thinking, redacted: true, signature: gemini })],
      ...[part(2, thinking), proofOf(2, 'anthropic')],
    ],
    [
      { reasoning_content: 'so' },
      { reasoning_details: [{ ...detail, index: 0 }] },
      {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 's', format: 'google-gemini-v1', index: 1 },
        ],
      },
      { reasoning_details: [{ ...detail, index: 2 }] },
    ],
    [],
  ],
  [
    [part(0, call), delta(0, '{}'), part(1, { ...call, id: 'd', input: '[]' }), delta(1, ' ')],
    [
      fn(0, {}),
      { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
      fn(1, { id: 'd', function: { name: 'f', arguments: '[]' } }),
      { tool_calls: [{ index: 1, function: { arguments: ' ' } }] },
    ],
    [],
  ],
  [
    [part(0, { ...call, custom: true } as Part), delta(0, 'any'), part(1, call), delta(1, '{}')],
    [
      { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'f', input: '' } }] },
      { tool_calls: [{ index: 0, custom: { input: 'any' } }] },
      fn(1, {}),
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
    ],
    [],
  ],
  [
    [part(0, call), part(1, { ...call, signature: gemini } as Part), proofOf(1, 'gemini')],
    [fn(0, {}), fn(1, { extra_content: sig }), { tool_calls: [{ index: 1, extra_content: sig }] }],
    [],
  ],
  [
    [part(0, { ...text, text: 'hi', signature: gemini } as Part), part(1, call)],
    [{ content: 'hi' }, { extra_content: sig }, fn(0, {})],
    [],
  ],
  [[part(0, text), proofOf(0, 'gemini')], [{ extra_content: sig }], []],
  // Sources stand behind the words that they are for, and count in the whole text.
  [
    [
      ...[part(0, text), delta(0, '12'), part(1, { ...text, citations: [citation] } as Part)],
      ...[delta(1, '345'), part(2, thinking)],
    ],
    [{ content: '12' }, { content: '345' }, annotation(2, 5)],
    [],
  ],
  [
    [
      ...[
        part(0, { ...text, refusal: true, text: 'no' } as Part),
        part(1, { ...text, text: '12' } as Part),
      ],
      ...[{ type: 'citation', index: 1, citation } as const, part(2, text)],
      ...[{ type: 'citation', index: 2, citation: { quote: 'q' } } as const],
    ],
    [{ refusal: 'no' }, { content: '12' }, annotation(0, 2)],
    ['citations'],
  ],
  [
    [part(0, { type: 'media', mime: 'audio/*', id: 'a1' }), delta(0, 'AAAA')],
    [{ audio: { id: 'a1' } }, { audio: { data: 'AAAA' } }],
    [],
  ],
  [
    [
      part(0, { type: 'media', mime: 'audio/*', base64: 'AAAA' }),
      { type: 'transcript', index: 0, text: 'hi' },
    ],
    [{ audio: { data: 'AAAA' } }, { audio: { transcript: 'hi' } }],
    [],
  ],
  [
    [part(0, { type: 'media', mime: 'image/png', base64: 'AAAA', unknownFields: foreign })],
    [{ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }],
    ['a'],
  ],
  [
    [part(0, { type: 'opaque', dialect: own, value: { type: 'x' } }), delta(0, 'grown')],
    [{ content: [{ type: 'x' }] }, {}],
    [],
  ],
  [[part(0, { type: 'opaque', dialect: 'gemini', value: { type: 'x' } })], [], ['x']],
  [[part(0, { type: 'tool-result', id: 'c', parts: [] })], [], ['tool-result']],
  [[{ type: 'opaque', dialect: own, name: 'n', value: 1 }], [], []],
  [[{ type: 'opaque', dialect: 'anthropic', name: 'n', value: 1 }], [], ['n']],
  [[{ type: 'delta', choice: 3, index: 0, text: 'x' }], [], []],
  [[{ type: 'citation', choice: 3, index: 0, citation }], [], []],
  [[{ type: 'unknown-fields', choice: 0, index: 0, unknownFields: mine }], [], []],
  [[{ type: 'unknown-fields', unknownFields: foreign }], [], ['a']],
])('%j is told in the deltas %j, and %j is noted', (events, result, dropped) => {
  expect(deltas([...events, finish])).toEqual({ deltas: result, dropped })
})

it('what an answer weighed is told beside its words, also where they are none', () => {
  const logprobs = [{ token: 'hi', logprob: -1 }]
  const given = [{ token: 'hi', logprob: -1, bytes: null, top_logprobs: [] }]
  const { frames } = encodeAll([
    start,
    part(0, { type: 'text', text: '', logprobs }),
    { ...delta(0, 'hi'), logprobs },
    part(1, { type: 'text', text: '', refusal: true }),
    { ...delta(1, 'no'), logprobs },
  ])
  expect(frames.slice(1).map(({ choices: [choice] }) => choice)).toEqual([
    {
      index: 0,
      delta: { content: '' },
      logprobs: { content: given, refusal: null },
      finish_reason: null,
    },
    {
      index: 0,
      delta: { content: 'hi' },
      logprobs: { content: given, refusal: null },
      finish_reason: null,
    },
    {
      index: 0,
      delta: { refusal: 'no' },
      logprobs: { content: null, refusal: given },
      finish_reason: null,
    },
  ])
})

it('fields that come later stand at the answer, the choice or the message', () => {
  const { frames } = encodeAll([
    start,
    { type: 'unknown-fields', unknownFields: mine },
    {
      type: 'unknown-fields',
      choice: 1,
      unknownFields: { dialect: own, fields: { y: 1, message: { z: 1 } } },
    },
    {
      type: 'unknown-fields',
      choice: 1,
      unknownFields: { dialect: own, fields: { message: { z: 2 } } },
    },
  ])
  const [, whole, opening, both, message] = frames
  expect(whole).toMatchObject({ id: 'r', x: 1, choices: [] })
  expect(opening.choices[0]).toMatchObject({ index: 1, delta: { role: 'assistant' } })
  const going = { logprobs: null, finish_reason: null }
  expect([both.choices, message.choices]).toEqual([
    [{ index: 1, delta: { z: 1 }, ...going, y: 1 }],
    [{ index: 1, delta: { z: 2 }, ...going }],
  ])
  const params = encodeAll([start, { type: 'unknown-fields', unknownFields: mine }], {
    wantsUsage: true,
  })
  expect(params.frames[1]).toMatchObject({ x: 1, choices: [], usage: null })
})

// Dialects without tools that take any text call them with an object around it.
it.each([
  [['{"inp', 'ut":"ls"}'], 'ls'],
  [['{"input":5}'], '{"input":5}'],
  [['no json'], 'no json'],
  [['null'], 'null'],
])('a tool that takes any text is called with it: %j is %j', (pieces, input) => {
  const request = {
    model: 'm',
    messages: [],
    tools: [
      { type: 'custom' as const, name: 'f' },
      { type: 'function' as const, name: 'g' },
    ],
  }
  const events = [
    part(0, call),
    ...pieces.map(piece => delta(0, piece)),
    part(1, { ...call, name: 'g' } as Part),
  ]
  expect(deltas([...events, finish], { request }).deltas).toEqual([
    { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'f', input } }] },
    fn(1, { function: { name: 'g', arguments: '' } }),
  ])
  const own = part(0, { ...call, input: '{"input":1}', custom: true } as Part)
  expect(deltas([own, finish], { request }).deltas).toMatchObject([
    { tool_calls: [{ custom: { input: '{"input":1}' } }] },
  ])
})

it('a choice that the vendor did not end ends with `tool_calls` where it has calls', () => {
  const reasonOf = (last: Part) =>
    encodeAll([start, part(0, last), end]).frames.at(-2).choices[0].finish_reason
  expect([reasonOf(call), reasonOf(text)]).toEqual(['tool_calls', 'stop'])
})
