import { describe, expect, it } from 'vitest'
import type { ChatEvent, Part } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import { noUsage } from '../../usage.ts'
import { anthropic } from '../index.ts'

const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })
const foreign = (fields: Record<string, unknown>) => ({ dialect: 'openai-chat' as const, fields })
const mine = (text: string) => ({ dialect: 'anthropic' as const, text })
const lent = (text: string) => ({ dialect: 'gemini' as const, text })

/** The data of the frames of a stream. Each has its event before it, and each event is of one frame's type. */
const framesIn = (bytes: string): Json[] =>
  bytes
    .split('\n\n')
    .slice(0, -1)
    .map(frame => {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.+)$/.exec(frame) ?? []
      const payload = JSON.parse(data)
      expect(payload.type).toBe(event)
      return payload
    })

const encode = (...events: ChatEvent[]) => {
  const encoder = anthropic.encodeEvents()
  const frames = framesIn(events.map(event => encoder.push(event)).join(''))
  return { frames, warnings: encoder.warnings.map(each => each.dropped) }
}

/** Encodes in short form: a start as its block, a delta as itself, a stop as its index. */
const encoded = (...events: ChatEvent[]) => {
  const { frames, warnings } = encode(...events)
  const payload = frames.map(({ type, index, content_block, delta }) =>
    type === 'content_block_start'
      ? { index, start: content_block }
      : type === 'content_block_stop'
        ? { index, stop: true }
        : { index, ...delta },
  )
  return [payload, warnings]
}

const part = (given: Part, index = 0): ChatEvent => ({ type: 'part', index, part: given })
const grown = (...texts: string[]): ChatEvent[] =>
  texts.map(text => ({ type: 'delta', index: 0, text }))
const text = part({ type: 'text', text: '' })
const start = (index: number, block: object) => ({ index, start: block })
const stop = (index: number) => ({ index, stop: true })
const json = (index: number, partial_json: string) => ({
  index,
  type: 'input_json_delta',
  partial_json,
})
const payload = (index: number, words: string) => ({ index, type: 'text_delta', text: words })
const textStart = (index: number) => start(index, { type: 'text', text: '' })
const tool = { type: 'tool_use', id: 't', name: 'f', input: {} }
const call: Part = { type: 'tool-call', id: 't', name: 'f', input: '' }
const cited = (url: string) => ({
  index: 0,
  type: 'citations_delta',
  citation: {
    type: 'web_search_result_location',
    ...{ cited_text: '', url, title: url, encrypted_index: '' },
  },
})
const hidden = (data: string) => ({ type: 'redacted_thinking', data })

// https://platform.claude.com/docs/en/build-with-claude/streaming
describe('the blocks of a stream', () => {
  it('follow one another, numbered without gaps', () => {
    expect(
      encoded(text, ...grown('a', '', 'b'), part({ type: 'text', text: 'c' }, 1), part(call, 2)),
    ).toStrictEqual([
      [
        ...[textStart(0), payload(0, 'a'), payload(0, 'b'), stop(0)],
        ...[textStart(1), payload(1, 'c'), stop(1), start(2, tool)],
      ],
      [],
    ])
  })

  it.each<[string, ChatEvent[], object[], string[]]>([
    [
      'a text with its sources, its fields and nothing of another dialect',
      [
        part({
          type: 'text',
          text: 'a',
          unknownFields: dialectId({ x: 1 }),
          citations: [{ url: 'u' }, { title: 't' }],
          logprobs: [],
        }),
        { type: 'citation', index: 0, citation: { url: 'v' } },
        part({ type: 'text', text: 'b', unknownFields: foreign({ y: 1 }) }, 1),
      ],
      [
        start(0, { type: 'text', text: '', x: 1 }),
        cited('u'),
        payload(0, 'a'),
        cited('v'),
        ...[stop(0), textStart(1), payload(1, 'b')],
      ],
      ['logprobs', 'citations', 'y'],
    ],
    [
      'logprobs of a piece',
      [text, { type: 'delta', index: 0, text: 'a', logprobs: [] }],
      [textStart(0), payload(0, 'a')],
      ['logprobs'],
    ],
    [
      'thoughts, their proof, and one in their beginning',
      [
        part({ type: 'thinking', text: '' }),
        ...grown('a'),
        { type: 'signature', index: 0, signature: mine('c2ln') },
        part(
          { type: 'thinking', text: 'b', signature: lent('1'), unknownFields: dialectId({ x: 1 }) },
          1,
        ),
      ],
      [
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        { index: 0, type: 'thinking_delta', thinking: 'a' },
        { index: 0, type: 'signature_delta', signature: 'c2ln' },
        stop(0),
        start(1, { type: 'thinking', thinking: '', signature: '', x: 1 }),
        { index: 1, type: 'thinking_delta', thinking: 'b' },
        { index: 1, type: 'signature_delta', signature: 'gemini:1' },
      ],
      [],
    ],
    [
      'hidden thoughts, of which nothing grows',
      [
        part({ type: 'thinking', text: '', redacted: true, signature: mine('c2ln') }),
        ...grown('a'),
      ],
      [start(0, hidden('c2ln'))],
      [],
    ],
    [
      'a call and its input',
      [
        part({ ...call, input: '{', unknownFields: dialectId({ caller: 1 }) } as Part),
        ...grown('}'),
        part({ ...call, unknownFields: foreign({ z: 1 }) }, 1),
      ],
      [start(0, { ...tool, caller: 1 }), json(0, '{'), json(0, '}'), stop(0), start(1, tool)],
      ['z'],
    ],
    [
      'a call of a tool that takes any text',
      [part({ ...call, input: 'a"', custom: true } as Part), ...grown('\n'), text, ...grown('b')],
      [
        ...[start(0, tool), json(0, '{"input":"'), json(0, 'a\\"'), json(0, '\\n'), json(0, '"}')],
        ...[stop(0), textStart(1), payload(1, 'b')],
      ],
      [],
    ],
    [
      'proofs that other vendors gave for words and calls',
      [
        part({ type: 'text', text: 'a', signature: lent('1') }),
        part({ ...call, signature: lent('2') } as Part, 1),
        { type: 'signature', index: 1, signature: lent('3') },
        { type: 'signature', index: 1, signature: mine('4') },
      ],
      [
        ...[start(0, hidden('gemini:1')), stop(0), textStart(1), payload(1, 'a'), stop(1)],
        ...[start(2, hidden('gemini:2')), stop(2), start(3, tool), stop(3)],
        start(4, hidden('gemini::3')),
      ],
      [],
    ],
    [
      'a tool of the vendor’s server, and its result',
      [
        part({
          type: 'opaque',
          dialect: 'anthropic',
          value: { type: 'server_tool_use', id: 's' },
          streamedText: '{"q":',
        }),
        ...grown('1}'),
        part({ type: 'opaque', dialect: 'anthropic', value: { type: 'x_result', y: 1 } }, 1),
        ...grown('lost'),
      ],
      [
        start(0, { type: 'server_tool_use', id: 's', input: {} }),
        ...[json(0, '{"q":'), json(0, '1}'), stop(0), start(1, { type: 'x_result', y: 1 })],
      ],
      [],
    ],
    [
      'a compaction, with a field that came later',
      [
        part({
          type: 'opaque',
          dialect: 'anthropic',
          value: { type: 'compaction' },
          streamedText: 'a',
        }),
        ...grown('b'),
        {
          type: 'unknown-fields',
          choice: 0,
          index: 0,
          unknownFields: dialectId({ encrypted: 'e' }),
        },
      ],
      [
        start(0, { type: 'compaction', content: null }),
        { index: 0, type: 'compaction_delta', content: 'a' },
        { index: 0, type: 'compaction_delta', content: 'b' },
        { index: 0, type: 'compaction_delta', encrypted: 'e' },
      ],
      [],
    ],
    [
      'a picture',
      [part({ type: 'media', mime: 'image/png', base64: 'AAAA' }), ...grown('lost')],
      [],
      ['media image/png'],
    ],
    [
      'what has no block here',
      [
        text,
        part({ type: 'opaque', dialect: 'gemini', value: { codeResult: 1 } }, 1),
        ...grown('lost'),
        part({ type: 'media', mime: 'audio/wav', base64: 'AAAA' }, 2),
        { type: 'transcript', index: 2, text: 'lost' },
        ...[text, ...grown('a')],
      ],
      [textStart(0), stop(0), textStart(1), payload(1, 'a')],
      ['codeResult', 'media audio/wav'],
    ],
    [
      'sources and fields where they have no place',
      [
        part(call),
        { type: 'citation', index: 0, citation: { url: 'u' } },
        { type: 'unknown-fields', choice: 0, index: 0, unknownFields: dialectId({ x: 1 }) },
        { type: 'unknown-fields', choice: 0, index: 0, unknownFields: foreign({ y: 1 }) },
      ],
      [start(0, tool)],
      ['citations', 'y'],
    ],
    [
      'a second answer',
      [
        text,
        { type: 'part', choice: 1, index: 0, part: call },
        { type: 'delta', choice: 1, index: 0, text: 'lost' },
      ],
      [textStart(0)],
      ['n'],
    ],
  ])('%s', (_, events, blocks, warnings) =>
    expect(encoded(...events)).toStrictEqual([blocks, warnings]),
  )

  it('what canon does not know goes back as it came', () => {
    const opaque = (name: string, value: unknown): ChatEvent => ({
      type: 'opaque',
      dialect: 'anthropic',
      name,
      value,
    })
    const delta = { type: 'new_delta', x: 1 }
    const piece = opaque('content_block_delta', { index: 7, delta })
    expect(
      encoded(piece, text, piece, ...grown('a'), {
        type: 'opaque',
        dialect: 'gemini',
        name: 'progress',
        value: {},
      }),
    ).toStrictEqual([[textStart(0), { index: 0, ...delta }, payload(0, 'a')], ['progress']])
    const pingFrame = { type: 'heartbeat', x: 1 }
    expect(encode(opaque('heartbeat', pingFrame))).toStrictEqual({
      frames: [pingFrame],
      warnings: [],
    })
  })
})

describe('the beginning and the end of a stream', () => {
  const nothing = {
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 0,
  }
  const message = {
    ...{ id: '', type: 'message', role: 'assistant', model: '', content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: nothing },
  }
  const opening: ChatEvent = { type: 'start', id: '', model: '' }
  const ending = (delta: object = {}, more: object = {}) => [
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, ...delta },
      ...more,
      usage: { ...nothing, ...('usage' in more ? (more.usage as object) : {}) },
    },
    { type: 'message_stop' },
  ]

  it('have every field that the official clients read, whatever is known', () => {
    const frames = [{ type: 'message_start', message }, ...ending()]
    expect(encode(opening, { type: 'end' })).toStrictEqual({ frames, warnings: [] })
    expect(encode({ type: 'end' })).toStrictEqual({ frames, warnings: [] })
  })

  it('close the block that is open, and what is open in it', () => {
    const custom: Part = { ...call, custom: true } as Part
    expect(encode(opening, part(custom), { type: 'end' }).frames.slice(3)).toMatchObject([
      { delta: { partial_json: '"}' } },
      { type: 'content_block_stop', index: 0 },
      ...ending(),
    ])
  })

  it('tell the prompt first, and in the end all that was used', () => {
    const usage = (figures: object) => ({ usage: { ...noUsage(), ...figures } })
    const { frames, warnings } = encode(
      { ...opening, id: 'i', model: 'm', tier: 'batch', reportedUsage: usage({ input: 5 }) },
      { type: 'usage', reportedUsage: usage({ input: 5, output: 7 }) },
      { type: 'finish', finish: { reason: 'stop-sequence', sequence: 'END' } },
      { type: 'end' },
    )
    const tier = { service_tier: 'batch' }
    expect(frames).toStrictEqual([
      {
        type: 'message_start',
        message: {
          ...message,
          id: 'i',
          model: 'm',
          usage: { ...nothing, input_tokens: 5, ...tier },
        },
      },
      ...ending(
        { stop_reason: 'stop_sequence', stop_sequence: 'END' },
        { usage: { input_tokens: 5, output_tokens: 7, ...tier } },
      ),
    ])
    expect(warnings).toEqual([])
    const known = encode(
      { ...opening, reportedUsage: { unknownFields: dialectId({ input_tokens: 9 }) } },
      { type: 'end' },
    )
    expect(known.frames.map(each => (each.message ?? each).usage)).toEqual([
      { input_tokens: 9 },
      { input_tokens: 9 },
      undefined,
    ])
  })

  it('carry the fields of the answer, each where its client looks', () => {
    const { frames, warnings } = encode(
      { ...opening, unknownFields: dialectId({ container: 'a' }) },
      { type: 'unknown-fields', unknownFields: dialectId({ container: 'b', x: 1 }) },
      {
        type: 'unknown-fields',
        unknownFields: dialectId({ stop_details: { type: 'refusal' }, y: 2 }),
      },
      { type: 'unknown-fields', unknownFields: foreign({ z: 1 }) },
      { type: 'end' },
    )
    expect(frames).toStrictEqual([
      { type: 'message_start', message: { ...message, container: 'a' } },
      ...ending({ stop_details: { type: 'refusal' }, container: 'b' }, { x: 1, y: 2 }),
    ])
    expect(warnings).toEqual(['z'])
    expect(encode({ ...opening, unknownFields: foreign({ z: 1 }) }).warnings).toEqual(['z'])
  })

  it('a refusal in any of its texts is the reason', () => {
    const no = part({ type: 'text', text: 'No.', refusal: true })
    const finish: ChatEvent = { type: 'finish', finish: { reason: 'stop' } }
    const reason = (...events: ChatEvent[]) =>
      encode(...events, finish, { type: 'end' }).frames.at(-2).delta.stop_reason
    expect([reason(no, text), reason(text, no), reason(text)]).toEqual([
      ...['refusal', 'refusal', 'end_turn'],
    ])
  })

  it('a failure is the last word', () => {
    const failure = (type: string): ChatEvent => ({
      type: 'failure',
      failure: { message: 'Full', type, code: '' },
    })
    const error = (type: string) => ({ type: 'error', error: { type, message: 'Full' } })
    expect(encode(failure('overloaded_error'), text, { type: 'end' }).frames).toStrictEqual([
      error('overloaded_error'),
    ])
    expect(encode(failure('')).frames).toStrictEqual([error('api_error')])
    expect(encode({ type: 'end' }, failure('x'), text).frames).toHaveLength(3)
  })
})
