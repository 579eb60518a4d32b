import { expect, it } from 'vitest'
import type { Message, Part } from '../../canon.ts'
import { openaiChat } from '../index.ts'

const dialectId = 'openai-chat'
const read = (message: object) => {
  const result = openaiChat.decodeRequest({ model: 'm', messages: [message] })
  if (!result.ok) throw new Error(result.hint)
  return result.request.messages[0]
}
const write = (message: Message) => {
  const { body, warnings } = openaiChat.encodeRequest({ model: 'm', messages: [message] })
  return { messages: body.messages, dropped: warnings.map(each => each.dropped) }
}
const keeping = (fields: object) => ({ unknownFields: { dialect: dialectId, fields } })
const foreign = { dialect: 'gemini', fields: { a: 1 } } as const
const signature = { dialect: 'gemini', text: 'sig' } as const
const signed = { extra_content: { google: { thought_signature: 'sig' } } }
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
const made = { type: 'tool-call', id: 'c', name: 'f', input: '{}' } as const
const cited = {
  type: 'url_citation',
  url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 },
}
const image = { type: 'image_url', image_url: { url: 'https://media.example/a' } }
const shown = { type: 'media', mime: 'image/*', url: 'https://media.example/a' } as const

const roles = ['system', 'developer', 'user', 'assistant'] as const

// https://platform.openai.com/docs/api-reference/chat/create#chat_create-messages
it.each<[object, object]>([
  ...roles.map((role): [object, object] => [
    { role, content: 'hi' },
    { role, parts: [text('hi')] },
  ]),
  [
    { role: 'user', content: 'hi', name: 'n', x: 1 },
    { role: 'user', parts: [text('hi')], name: 'n', ...keeping({ x: 1 }) },
  ],
  [
    { role: 'tool', tool_call_id: 'c', content: 'one' },
    { role: 'tool', parts: [{ type: 'tool-result', id: 'c', parts: [text('one')] }] },
  ],
  [
    { role: 'tool', tool_call_id: 'c', content: 'one', name: 'f', x: 1 },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', id: 'c', name: 'f', parts: [text('one')] }],
      ...keeping({ x: 1 }),
    },
  ],
  [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'assistant', parts: [made] },
  ],
  [
    { role: 'assistant', content: null, tool_calls: [{ ...call, ...signed, x: 1 }] },
    { role: 'assistant', parts: [{ ...made, signature, ...keeping({ x: 1 }) }] },
  ],
  [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'p', input: 'any' } }],
    },
    { role: 'assistant', parts: [{ ...made, name: 'p', input: 'any', custom: true }] },
  ],
  [
    { role: 'assistant', content: null, refusal: 'no' },
    { role: 'assistant', parts: [{ ...text('no'), refusal: true }] },
  ],
  [
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    { role: 'assistant', parts: [{ type: 'media', mime: 'audio/*', id: 'audio_1' }] },
  ],
  [
    {
      role: 'assistant',
      content: null,
      audio: { id: 'audio_1', data: 'AAAA', transcript: 'hi', expires_at: 5 },
    },
    {
      role: 'assistant',
      parts: [
        {
          type: 'media',
          mime: 'audio/*',
          id: 'audio_1',
          base64: 'AAAA',
          transcript: 'hi',
          expiresAt: 5,
        },
      ],
    },
  ],
  [
    { role: 'assistant', content: 'hi', images: [image, image] },
    { role: 'assistant', parts: [text('hi'), shown, shown] },
  ],
  [
    { role: 'assistant', content: 'hi', annotations: [cited, { type: 'x' }], ...signed },
    {
      role: 'assistant',
      parts: [
        {
          ...text('hi'),
          signature,
          citations: [
            {
              url: 'https://a.example',
              title: 'A',
              start: 0,
              end: 2,
              raw: { dialect: dialectId, value: cited },
            },
            { raw: { dialect: dialectId, value: { type: 'x' } } },
          ],
        },
      ],
    },
  ],
  // Words with marks of their own are a list.
  [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hi', x: 1 },
        { type: 'y' },
        { type: 'refusal', refusal: 'no' },
      ],
      tool_calls: [call],
    },
    {
      role: 'assistant',
      parts: [
        { ...text('hi'), ...keeping({ x: 1 }) },
        { type: 'opaque', dialect: dialectId, value: { type: 'y' } },
        { ...text('no'), refusal: true },
        made,
      ],
    },
  ],
])('%j goes and comes back as %j', (message, meant) => {
  expect(read(message)).toEqual(meant)
  expect(write(meant as Message)).toEqual({ messages: [message], dropped: [] })
})

it.each([
  [
    { role: 'x', content: 'hi', name: 1 },
    { role: 'user', parts: [text('hi')] },
  ],
  [
    { role: 'function', name: 'f', content: 'one' },
    { role: 'tool', parts: [{ type: 'tool-result', id: '', name: 'f', parts: [text('one')] }] },
  ],
  [
    { role: 'user', content: '' },
    { role: 'user', parts: [] },
  ],
  [
    { role: 'user', content: 5 },
    { role: 'user', parts: [] },
  ],
  [
    { role: 'assistant', content: null, refusal: '', images: 'i', tool_calls: 't' },
    { role: 'assistant', parts: [] },
  ],
  [
    { role: 'assistant', refusal: 5, function_call: { name: 'f', arguments: '{}' } },
    { role: 'assistant', parts: [{ ...made, id: '' }] },
  ],
  [
    { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }, null] },
    {
      role: 'assistant',
      parts: [{ ...made, id: '', input: '{"a":1}' }],
    },
  ],
  // Thoughts among the words: https://docs.mistral.ai/capabilities/reasoning/
  [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'a' }, null, { text: 'b' }] },
        { type: 'thinking', thinking: 'c' },
        { type: 'text', text: 'hi' },
      ],
    },
    {
      role: 'assistant',
      parts: [{ type: 'thinking', text: 'ab' }, { type: 'thinking', text: 'c' }, text('hi')],
    },
  ],
  [
    { role: 'assistant', content: null, annotations: [cited], ...signed },
    { role: 'assistant', parts: [] },
  ],
  [
    { role: 'assistant', content: 'hi', annotations: [], extra_content: { google: 'x' } },
    { role: 'assistant', parts: [text('hi')] },
  ],
  [
    { role: 'assistant', content: 'hi', audio: { id: 1, data: 2, transcript: 3, expires_at: '4' } },
    { role: 'assistant', parts: [text('hi'), { type: 'media', mime: 'audio/*' }] },
  ],
  [
    {
      role: 'assistant',
      content: 'hi',
      annotations: [{ url_citation: { url: 1, title: 2, start_index: '3', end_index: '4' } }],
    },
    {
      role: 'assistant',
      parts: [
        {
          ...text('hi'),
          citations: [
            {
              raw: {
                dialect: dialectId,
                value: { url_citation: { url: 1, title: 2, start_index: '3', end_index: '4' } },
              },
            },
          ],
        },
      ],
    },
  ],
])('%j is read as %j', (message, meant) => {
  expect(read(message)).toEqual(meant)
})

const given = (content: unknown, more: object = {}) => [{ role: 'assistant', content, ...more }]
const source = { url: 'https://a.example' }

it.each<[Part[], object[], string[]]>([
  [[], given(''), []],
  [[{ type: 'thinking', text: 'so' }], given('', { reasoning_content: 'so' }), []],
  [[shown], given('', { images: [image] }), []],
  [[text('a'), text('b')], given('ab'), []],
  [
    [
      { ...text('a'), refusal: true },
      { ...text('b'), refusal: true },
    ],
    given(null, { refusal: 'ab' }),
    [],
  ],
  [[{ ...text('a'), unknownFields: foreign, cache: {} }], given('a'), ['a', 'cache_control']],
  [[{ ...text('a'), signature: { dialect: 'anthropic', text: 's' } }], given('a'), ['text.proof']],
  [
    [{ ...made, signature: { dialect: 'anthropic', text: 's' }, unknownFields: foreign }],
    given(null, { tool_calls: [call] }),
    ['a', 'tool-call.proof'],
  ],
  [[made, { ...made, id: 'd' }], given(null, { tool_calls: [call, { ...call, id: 'd' }] }), []],
  [
    [{ type: 'thinking', text: 'so', unknownFields: foreign }],
    given('', { reasoning_content: 'so' }),
    ['a'],
  ],
  [[{ ...shown, unknownFields: foreign }], given('', { images: [image] }), ['a']],
  [[{ type: 'media', mime: 'application/pdf', url: 'u' }], given(''), ['media application/pdf']],
  [[{ type: 'opaque', dialect: 'gemini', value: { type: 'x' } }, text('a')], given('a'), ['x']],
  // Sources count in the whole text, and cover their part where they say no place.
  [
    [
      text('12'),
      { ...text('345'), citations: [source, { ...source, title: 'A', start: 1, end: 2 }, {}] },
    ],
    given('12345', {
      annotations: [
        {
          type: 'url_citation',
          url_citation: { ...source, title: source.url, start_index: 2, end_index: 5 },
        },
        {
          type: 'url_citation',
          url_citation: { ...source, title: 'A', start_index: 3, end_index: 4 },
        },
      ],
    }),
    ['citations'],
  ],
  [
    [{ ...text('12'), citations: [source], ...keeping({ x: 1 }) } as Part],
    given([{ type: 'text', text: '12', x: 1 }], {
      annotations: [
        {
          type: 'url_citation',
          url_citation: { ...source, title: source.url, start_index: 0, end_index: 2 },
        },
      ],
    }),
    [],
  ],
])('the turn %j is written as %j, and %j is noted', (parts, messages, dropped) => {
  expect(write({ role: 'assistant', parts })).toEqual({ messages, dropped })
})

it('results of tools stand alone, and what they show follows them', () => {
  const parts: Part[] = [
    {
      type: 'tool-result',
      id: 'c',
      name: 'f',
      parts: [shown, text('one'), { type: 'media', mime: 'text/plain', text: 'two' }],
      failed: true,
      cache: {},
      unknownFields: foreign,
    },
    text('And?'),
    { type: 'tool-result', id: 'd', parts: [text('three')] },
  ]
  const unknownFields = { dialect: dialectId, fields: { x: 1 } } as const
  expect(write({ role: 'user', parts, name: 'n', unknownFields })).toEqual({
    messages: [
      {
        role: 'tool',
        tool_call_id: 'c',
        name: 'n',
        x: 1,
        content: [text('one'), text('two')],
      },
      { role: 'tool', tool_call_id: 'd', content: 'three' },
      { role: 'user', content: [image, text('And?')] },
    ],
    dropped: ['tool-result.failed', 'a', 'cache_control'],
  })
})

it.each<[Part[], object[]]>([
  [[text('one'), shown], [{ role: 'user', content: [image] }]],
  [[text('one')], []],
])('a single picture among %j follows its result as well', (parts, rest) => {
  const { messages } = write({ role: 'tool', parts: [{ type: 'tool-result', id: 'c', parts }] })
  expect(messages).toEqual([{ role: 'tool', tool_call_id: 'c', content: 'one' }, ...rest])
})

it('fields of another dialect are noted by name, and no message is a tool’s without a result', () => {
  expect(write({ role: 'tool', parts: [text('a')], unknownFields: foreign })).toEqual({
    messages: [{ role: 'user', content: 'a' }],
    dropped: ['a'],
  })
})
