import { describe, expect, it } from 'vitest'
import type { Part } from '../canon.ts'
import { anthropic } from './index.ts'

const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })
const chat = (fields: Record<string, unknown>) => ({ dialect: 'openai-chat' as const, fields })
const opaque = (value: unknown, grown?: string): Part => ({
  type: 'opaque',
  dialect: 'anthropic',
  value,
  ...(grown === undefined ? {} : { streamedText: grown }),
})
const mine = (text: string) => ({ dialect: 'anthropic' as const, text })
const lent = (text: string) => ({ dialect: 'gemini' as const, text })
const foreign = { dialect: 'openai-responses' as const, text: 'c2ln' }

const read = (content: unknown) => anthropic.decodeAnswer({ content }).choices[0]!.parts

const encoded = {
  answer: (...parts: Part[]) => {
    const { body, warnings } = anthropic.encodeResponse({
      id: 'i',
      model: 'm',
      choices: [{ parts }],
    })
    return [body.content, warnings.map(each => each.dropped)]
  },
  request: (...parts: Part[]) => {
    const messages = [{ role: 'user' as const, parts: [...parts, ...two] }]
    const { body, warnings } = anthropic.encodeRequest({ model: 'm', messages })
    const [message] = body.messages as { content: unknown[] }[]
    return [message!.content.slice(0, -2), warnings.map(each => each.dropped)]
  },
}
/** One text alone would be written shorter. */
const two: Part[] = [
  { type: 'text', text: 'x' },
  { type: 'text', text: 'y' },
]

// https://platform.claude.com/docs/en/api/messages/create
describe('blocks that are read', () => {
  it.each<[unknown, Part[]]>([
    ['', []],
    ['Hi', [{ type: 'text', text: 'Hi' }]],
    [{ type: 'text', text: 'Hi' }, []],
    [null, []],
    [[null], [opaque(null)]],
  ])('content %j', (content, parts) => expect(read(content)).toStrictEqual(parts))

  const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
  it.each<[object, Part]>([
    [
      { type: 'text', text: 'a', citations: null, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'a', cache: {} },
    ],
    [
      { type: 'text', text: 'a', citations: [] },
      { type: 'text', text: 'a' },
    ],
    [
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' }, x: 1 },
      { type: 'text', text: 'a', cache: { ttl: '1h' }, unknownFields: dialectId({ x: 1 }) },
    ],
    [
      { type: 'text', text: 'a', cache_control: { type: 'x' } },
      { type: 'text', text: 'a' },
    ],
    [{ type: 'text', text: 7 }, opaque({ type: 'text', text: 7 })],
    [
      { type: 'text', text: 'a', citations: [{ type: 'char_location', cited_text: 'q' }] },
      {
        type: 'text',
        text: 'a',
        citations: [
          {
            quote: 'q',
            raw: { dialect: 'anthropic', value: { type: 'char_location', cited_text: 'q' } },
          },
        ],
      },
    ],
    [
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'thinking', text: 'hm', signature: mine('c2ln') },
    ],
    [
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'thinking', text: 'hm' },
    ],
    [
      { type: 'thinking', thinking: 7, signature: 7 },
      { type: 'thinking', text: '' },
    ],
    [
      { type: 'redacted_thinking', data: 'c2ln' },
      { type: 'thinking', text: '', redacted: true, signature: mine('c2ln') },
    ],
    [
      { type: 'image', source: png },
      { type: 'media', mime: 'image/png', base64: 'AAAA' },
    ],
    [
      { type: 'image', source: { type: 'base64', data: 'AAAA' } },
      { type: 'media', mime: 'image/*', base64: 'AAAA' },
    ],
    [
      { type: 'document', source: { type: 'base64', data: 'AAAA' }, title: 'a.pdf' },
      { type: 'media', mime: 'application/pdf', base64: 'AAAA', name: 'a.pdf' },
    ],
    [
      { type: 'document', source: { type: 'url', url: 'u' }, title: null },
      { type: 'media', mime: 'application/pdf', url: 'u' },
    ],
    [
      {
        type: 'image',
        source: { type: 'file', file_id: 'f' },
        cache_control: { type: 'ephemeral' },
      },
      { type: 'media', mime: 'image/*', file: 'f', cache: {} },
    ],
    [
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Hi' },
        title: 't',
        context: 'c',
        citations: { enabled: true },
      },
      {
        type: 'media',
        mime: 'text/plain',
        text: 'Hi',
        name: 't',
        unknownFields: dialectId({ context: 'c', citations: { enabled: true } }),
      },
    ],
    [
      { type: 'document', source: { type: 'content', content: 'Hi' } },
      opaque({ type: 'document', source: { type: 'content', content: 'Hi' } }),
    ],
    [
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
      {
        type: 'tool-call',
        id: 't',
        name: 'f',
        input: '{"a":1}',
        unknownFields: dialectId({ caller: { type: 'direct' } }),
      },
    ],
    [
      { type: 'tool_use', input: null },
      { type: 'tool-call', id: '', name: '', input: '' },
    ],
    [
      { type: 'tool_use', id: 't' },
      { type: 'tool-call', id: 't', name: '', input: '' },
    ],
    [
      { type: 'tool_result', tool_use_id: 't', content: 'a', is_error: true },
      { type: 'tool-result', id: 't', parts: [{ type: 'text', text: 'a' }], failed: true },
    ],
    [
      { type: 'tool_result', content: [{ type: 'image', source: png }], is_error: false },
      {
        type: 'tool-result',
        id: '',
        parts: [{ type: 'media', mime: 'image/png', base64: 'AAAA' }],
      },
    ],
    [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 1 } },
      opaque({ type: 'server_tool_use', id: 's', name: 'web_search' }, '{"q":1}'),
    ],
    [{ type: 'mcp_tool_use', id: 's', input: {} }, opaque({ type: 'mcp_tool_use', id: 's' })],
    [{ type: 'mcp_tool_use', input: '' }, opaque({ type: 'mcp_tool_use' })],
    [{ type: 'compaction', content: 'So far.' }, opaque({ type: 'compaction' }, 'So far.')],
    [{ type: 'compaction', content: null }, opaque({ type: 'compaction' })],
    [
      { type: 'web_search_tool_result', content: [] },
      opaque({ type: 'web_search_tool_result', content: [] }),
    ],
    [{ type: 7, input: {} }, opaque({ type: 7, input: {} })],
  ])('%j', (block, part) => expect(read([block])).toStrictEqual([part]))
})

describe('blocks that are told', () => {
  const pdf = 'application/pdf'
  const url = 'https://media.example/a'
  const document = { type: 'document', source: { type: 'url', url } }
  const plain = { type: 'text', media_type: 'text/plain', data: 'Hi' }

  // https://platform.claude.com/docs/en/build-with-claude/pdf-support: images, PDF and plain text.
  it.each<[Part, unknown[], string[]]>([
    [{ type: 'text', text: '' }, [], []],
    [
      { type: 'text', text: 'a', cache: { ttl: '5m' }, unknownFields: dialectId({ x: 1 }) },
      [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '5m' }, x: 1 }],
      [],
    ],
    [
      { type: 'text', text: 'a', unknownFields: chat({ x: 1 }) },
      [{ type: 'text', text: 'a' }],
      ['x'],
    ],
    [
      { type: 'thinking', text: 'hm', signature: mine('c2ln') },
      [{ type: 'thinking', thinking: 'hm', signature: 'c2ln' }],
      [],
    ],
    [
      { type: 'thinking', text: '', redacted: true, signature: mine('c2ln') },
      [{ type: 'redacted_thinking', data: 'c2ln' }],
      [],
    ],
    [
      { type: 'media', mime: 'image/png', base64: 'AAAA', name: 'a.png', detail: 'auto' },
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      [],
    ],
    [
      { type: 'media', mime: 'image/*', url, detail: 'high' },
      [{ type: 'image', source: { type: 'url', url } }],
      ['image detail'],
    ],
    [
      { type: 'media', mime: 'image/*', file: 'f' },
      [{ type: 'image', source: { type: 'file', file_id: 'f' } }],
      [],
    ],
    [
      { type: 'media', mime: pdf, base64: 'AAAA', name: 'a.pdf' },
      [
        {
          type: 'document',
          source: { type: 'base64', media_type: pdf, data: 'AAAA' },
          title: 'a.pdf',
        },
      ],
      [],
    ],
    [{ type: 'media', mime: pdf, url }, [document], []],
    [{ type: 'media', mime: 'text/html', url }, [document], []],
    [{ type: 'media', mime: 'application/octet-stream', url }, [document], []],
    [
      { type: 'media', mime: 'application/octet-stream', base64: 'AAAA' },
      [],
      ['media application/octet-stream'],
    ],
    [{ type: 'media', mime: 'video/mp4', url }, [], ['media video/mp4']],
    [{ type: 'media', mime: 'audio/wav', base64: 'AAAA' }, [], ['media audio/wav']],
    [
      { type: 'media', mime: 'audio/wav', file: 'f' },
      [{ type: 'document', source: { type: 'file', file_id: 'f' } }],
      [],
    ],
    [{ type: 'media', mime: 'image/png' }, [], ['media image/png']],
    [{ type: 'media', mime: 'text/plain', text: 'Hi' }, [{ type: 'document', source: plain }], []],
    [
      { type: 'media', mime: 'text/csv', base64: 'SGk=' },
      [{ type: 'document', source: plain }],
      [],
    ],
    [
      { type: 'media', mime: 'text/csv', base64: 'AAAA', text: 'Hi' },
      [{ type: 'document', source: plain }],
      [],
    ],
    [
      { type: 'tool-call', id: 't', name: 'f', input: 'a "b"', custom: true },
      [{ type: 'tool_use', id: 't', name: 'f', input: { input: 'a "b"' } }],
      [],
    ],
    [
      opaque({ type: 'server_tool_use', id: 's' }, '{"q":1}'),
      [{ type: 'server_tool_use', id: 's', input: { q: 1 } }],
      [],
    ],
    [opaque({ type: 'mcp_tool_use' }), [{ type: 'mcp_tool_use', input: {} }], []],
    [opaque({ type: 'compaction' }), [{ type: 'compaction', content: null }], []],
    [opaque({ type: 'compaction' }, 'a'), [{ type: 'compaction', content: 'a' }], []],
    [opaque({ type: 'x', y: 1 }), [{ type: 'x', y: 1 }], []],
    [
      {
        type: 'opaque',
        dialect: 'anthropic',
        value: { type: 'x' },
        unknownFields: dialectId({ y: 1 }),
      },
      [{ type: 'x', y: 1 }],
      [],
    ],
    [{ type: 'opaque', dialect: 'gemini', value: { codeResult: {} } }, [], ['codeResult']],
  ])('%j', (part, blocks, warnings) => {
    expect(encoded.request(part)).toStrictEqual([blocks, warnings])
    // An answer has no block for media.
    const inAnswer = part.type === 'media' ? [[], [`media ${part.mime}`]] : [blocks, warnings]
    expect(encoded.answer(part)).toStrictEqual(inAnswer)
  })

  it('what is added to a block is not added to what was read', () => {
    const value = { type: 'x' }
    encoded.answer({
      type: 'opaque',
      dialect: 'anthropic',
      value,
      unknownFields: dialectId({ y: 1 }),
    })
    expect(value).toEqual({ type: 'x' })
  })

  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', { input: [1] }],
    ['null', { input: null }],
    ['7', { input: 7 }],
    ['{"a"', { input: '{"a"' }],
  ])('the input %j of a tool is an object', (given, input) =>
    expect(encoded.answer({ type: 'tool-call', id: 't', name: 'f', input: given })).toEqual([
      [{ type: 'tool_use', id: 't', name: 'f', input }],
      [],
    ]),
  )

  const text = (payload: string): Part => ({ type: 'text', text: payload })
  it.each<[Part[], unknown]>([
    [[], undefined],
    [[text('')], undefined],
    [[text('a')], 'a'],
    [
      [{ type: 'text', text: 'a', cache: {} }],
      [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
    ],
    [
      [{ type: 'text', text: 'a', unknownFields: dialectId({ x: 1 }) }],
      [{ type: 'text', text: 'a', x: 1 }],
    ],
    [
      [text('a'), text('b')],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ],
    [[{ type: 'media', mime: pdf, url }], [document]],
  ])('the result %j of a tool is a text where it is nothing else', (parts, content) => {
    const block = { type: 'tool_result', tool_use_id: 't', ...(content ? { content } : {}) }
    const part: Part = { type: 'tool-result', id: 't', parts }
    expect(encoded.request(part)).toStrictEqual([[block], []])
    expect(encoded.request({ ...part, failed: true })).toStrictEqual([
      [{ ...block, is_error: true }],
      [],
    ])
  })
})

// https://platform.claude.com/docs/en/build-with-claude/extended-thinking: the vendor refuses what it did not sign.
describe('proofs of other vendors', () => {
  it('are in an answer, under their name, and not in a request', () => {
    const unsigned: Part = { type: 'thinking', text: 'hm' }
    const theirs: Part = { type: 'thinking', text: 'hm', signature: foreign }
    expect(encoded.answer(unsigned, theirs)).toEqual([
      [
        { type: 'thinking', thinking: 'hm', signature: '' },
        { type: 'thinking', thinking: 'hm', signature: 'openai-responses:c2ln' },
      ],
      [],
    ])
    for (const part of [unsigned, theirs])
      expect(encoded.request(part)).toEqual([[], ['thinking without a signature']])
  })

  const call: Part = { type: 'tool-call', id: 't', name: 'f', input: '{}' }
  const callBlock = { type: 'tool_use', id: 't', name: 'f', input: {} }
  const words: Part = { type: 'text', text: 'a' }
  const wordsBlock = { type: 'text', text: 'a' }
  const sealed = (data: string) => ({ type: 'redacted_thinking', data })

  it('of words and calls stand in a block before them, and are lost on the way to the vendor', () => {
    const parts: Part[] = [
      { ...words, signature: lent('1') },
      { ...call, signature: lent('2') },
    ]
    expect(encoded.answer(...parts)).toEqual([
      [sealed('gemini:1'), wordsBlock, sealed('gemini:2'), callBlock],
      [],
    ])
    expect(encoded.request(...parts)).toEqual([
      [wordsBlock, callBlock],
      ['text.proof', 'tool-call.proof'],
    ])
  })

  const alone = (text: string): Part => ({
    type: 'thinking',
    text: '',
    redacted: true,
    signature: lent(text),
  })
  it.each<[unknown[], Part[]]>([
    [[sealed('gemini:1'), wordsBlock], [{ ...words, signature: lent('1') }]],
    [[sealed('gemini:1'), callBlock], [{ ...call, signature: lent('1') }]],
    [[wordsBlock, sealed('gemini::1')], [{ ...words, signature: lent('1') }]],
    [
      [callBlock, sealed('gemini::1'), wordsBlock],
      [{ ...call, signature: lent('1') }, words],
    ],
    [
      [wordsBlock, sealed('gemini:1'), callBlock],
      [words, { ...call, signature: lent('1') }],
    ],
    [
      [sealed('gemini::1'), wordsBlock],
      [alone(':1'), words],
    ],
    [
      [wordsBlock, sealed('gemini:1')],
      [words, alone('1')],
    ],
    [
      [sealed('gemini:1'), { type: 'thinking', thinking: 'hm' }],
      [alone('1'), { type: 'thinking', text: 'hm' }],
    ],
    [
      [sealed('c2ln'), wordsBlock, sealed('gemini::1')],
      [
        { type: 'thinking', text: '', redacted: true, signature: mine('c2ln') },
        { ...words, signature: lent('1') },
      ],
    ],
    [
      [{ type: 'thinking', thinking: '', signature: 'gemini:1' }, wordsBlock],
      [{ type: 'thinking', text: '', signature: lent('1') }, words],
    ],
    [
      [sealed('openai-responses:c2ln'), wordsBlock],
      [{ type: 'thinking', text: '', redacted: true, signature: foreign }, words],
    ],
  ])('%j are given back to what they prove', (blocks, parts) =>
    expect(read(blocks)).toStrictEqual(parts),
  )
})
