import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../canon.ts'
import { noUsage } from '../../usage.ts'
import { anthropic } from '../index.ts'

const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })

type Frame = object | string | [data: string, event: string]

/** Decodes frames without ending the stream; also counts malformed ones. */
const decode = (...frames: Frame[]) => {
  const events: ChatEvent[] = []
  const decoder = anthropic.decodeFrames(event => events.push(event))
  for (const frame of frames)
    if (Array.isArray(frame)) decoder.pushFrame(frame[0], frame[1])
    else decoder.pushFrame(typeof frame === 'string' ? frame : JSON.stringify(frame), '')
  return { events, malformedFrames: decoder.malformedFrames(), close: () => decoder.end() }
}
const decoded = (...frames: Frame[]) => decode(...frames).events

const open = (content_block: unknown, index = 0) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const piece = (delta: unknown, index: unknown = 0) => ({
  type: 'content_block_delta',
  index,
  delta,
})
const text = open({ type: 'text', text: '' })
const textPart = { type: 'part', index: 0, part: { type: 'text', text: '' } }

// https://platform.claude.com/docs/en/build-with-claude/streaming
describe('the beginning of a stream', () => {
  it('says whose answer it is, and what the prompt took', () => {
    const usage = { input_tokens: 5, output_tokens: 1, service_tier: 'priority' }
    const message = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage, container: 'c' },
    }
    expect(decoded({ type: 'message_start', message })).toStrictEqual([
      {
        type: 'start',
        id: 'msg_1',
        model: 'm',
        tier: 'priority',
        reportedUsage: {
          usage: { ...noUsage(), input: 5, output: 1, served: { tier: 'priority' } },
          unknownFields: dialectId(usage),
        },
        unknownFields: dialectId({ container: 'c' }),
      },
    ])
  })

  it.each([{ type: 'message_start' }, { type: 'message_start', message: { content: 'Hi' } }])(
    '%j says nothing more',
    frame => expect(decoded(frame)).toStrictEqual([{ type: 'start', id: '', model: '' }]),
  )

  it('may hold what the answer begins with', () => {
    const message = { content: [{ type: 'text', text: 'a' }] }
    const delta = piece({ type: 'text_delta', text: 'b' })
    expect(decoded({ type: 'message_start', message }, delta).slice(1)).toStrictEqual([
      { type: 'part', index: 0, part: { type: 'text', text: 'a' } },
      { type: 'delta', index: 0, text: 'b' },
    ])
  })

  it('told twice goes on with the same answer, and adds what was used', () => {
    const start = (id: string, usage?: object) => ({
      type: 'message_start',
      message: { id, usage },
    })
    const events = decoded(
      start('a', { input_tokens: 5, output_tokens: 1 }),
      text,
      start('b', { cache_read_input_tokens: 2, output_tokens: 3 }),
      text,
      piece({ type: 'text_delta', text: 'x' }),
      start('c'),
      { type: 'message_stop' },
    )
    expect(events).toMatchObject([
      { type: 'start', id: 'a' },
      { type: 'part', index: 0 },
      { type: 'part', index: 1 },
      { type: 'delta', index: 1, text: 'x' },
      { type: 'usage', reportedUsage: { usage: { input: 5, cacheRead: 2, output: 3 } } },
      { type: 'end' },
    ])
    expect(events).toHaveLength(6)
  })
})

describe('the pieces of a stream', () => {
  it.each<[unknown, object[]]>([
    [{ type: 'text_delta', text: 'a' }, [{ type: 'delta', index: 0, text: 'a' }]],
    [{ type: 'text_delta' }, [{ type: 'delta', index: 0, text: '' }]],
    [
      { type: 'thinking_delta', thinking: 'a' },
      [
        { type: 'part', index: 1, part: { type: 'thinking', text: '' } },
        { type: 'delta', index: 1, text: 'a' },
      ],
    ],
    [{ type: 'input_json_delta', partial_json: '{' }, [{ type: 'delta', index: 0, text: '{' }]],
    [{ type: 'input_json_delta', partial_json: '' }, []],
    [
      { type: 'signature_delta', signature: 'c2ln' },
      [{ type: 'signature', index: 0, signature: { dialect: 'anthropic', text: 'c2ln' } }],
    ],
    [
      { type: 'signature_delta', signature: 'gemini:c2ln' },
      [{ type: 'signature', index: 0, signature: { dialect: 'gemini', text: 'c2ln' } }],
    ],
    [
      { type: 'citations_delta', citation: { url: 'u' } },
      [
        {
          type: 'citation',
          index: 0,
          citation: { url: 'u', raw: { dialect: 'anthropic', value: { url: 'u' } } },
        },
      ],
    ],
    [{ type: 'compaction_delta', content: 'a' }, [{ type: 'delta', index: 0, text: 'a' }]],
    [
      { type: 'compaction_delta', content: null, encrypted: 'e' },
      [
        {
          type: 'unknown-fields',
          choice: 0,
          index: 0,
          unknownFields: dialectId({ encrypted: 'e' }),
        },
      ],
    ],
    [
      { type: 'new_delta', x: 1 },
      [
        {
          type: 'opaque',
          dialect: 'anthropic',
          name: 'content_block_delta',
          value: { index: 0, delta: { type: 'new_delta', x: 1 } },
        },
      ],
    ],
    [
      null,
      [
        {
          type: 'opaque',
          dialect: 'anthropic',
          name: 'content_block_delta',
          value: { index: 0, delta: null },
        },
      ],
    ],
  ])('%j', (delta, events) =>
    expect(decode(text, piece(delta))).toMatchObject({
      events: [textPart, ...events],
      malformedFrames: 0,
    }),
  )

  it('belong to the block that they name, to the last one, or to one that nobody announced', () => {
    const delta = { type: 'text_delta', text: 'a' }
    const { events, malformedFrames } = decode(
      ...[piece(delta, 0), piece(delta, undefined), text, text],
      ...[piece(delta, 0), piece(delta, 1), piece(delta, '0'), piece(delta, 2), piece(delta, -1)],
    )
    expect(events.flatMap(each => (each.type === 'delta' ? [each.index] : []))).toEqual([
      ...[0, 0, 0, 1, 2, 2],
    ])
    expect(malformedFrames).toBe(1)
  })

  it.each([
    [{ type: 'tool_use', id: 't', name: 'f', input: {} }, ''],
    [{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }, '{"a":1}'],
  ])('%j begins with the input %j', (block, input) =>
    expect(decoded(open(block))).toStrictEqual([
      { type: 'part', index: 0, part: { type: 'tool-call', id: 't', name: 'f', input } },
    ]),
  )

  it('that say nothing are left out, and what canon does not know goes on as it is', () => {
    const pingFrame = { type: 'heartbeat', x: 1 }
    expect(
      decode({ type: 'ping' }, { type: 'content_block_stop', index: 0 }, pingFrame),
    ).toMatchObject({
      events: [{ type: 'opaque', dialect: 'anthropic', name: 'heartbeat', value: pingFrame }],
      malformedFrames: 0,
    })
  })

  it.each(['', 'broken {', 'null', '7', '{}', '{"type":7}', '{"type":7,"error":{}}', '[]'])(
    '%s is none',
    data => expect(decode(data)).toMatchObject({ events: [], malformedFrames: 1 }),
  )
})

describe('the end of a stream', () => {
  const delta = (payload: object, more: object = {}) => ({
    type: 'message_delta',
    delta: payload,
    ...more,
  })

  it('says why, and with which fields', () => {
    const frame = delta(
      { stop_reason: 'stop_sequence', stop_sequence: 'END', container: 'c' },
      { usage: { output_tokens: 7 }, context_management: {} },
    )
    expect(decoded(frame, { type: 'message_stop' })).toStrictEqual([
      {
        type: 'unknown-fields',
        unknownFields: dialectId({ context_management: {}, container: 'c' }),
      },
      { type: 'finish', finish: { reason: 'stop-sequence', sequence: 'END' } },
      {
        type: 'usage',
        reportedUsage: {
          usage: { ...noUsage(), output: 7 },
          unknownFields: dialectId({ output_tokens: 7 }),
        },
      },
      { type: 'end' },
    ])
    expect(decoded(delta({ container: 'c' }))).toStrictEqual([
      { type: 'unknown-fields', unknownFields: dialectId({ container: 'c' }) },
    ])
    expect(decoded(delta({}, { x: 1 }))).toStrictEqual([
      { type: 'unknown-fields', unknownFields: dialectId({ x: 1 }) },
    ])
    expect(decoded({ type: 'message_delta' }, delta({ stop_reason: null }))).toEqual([])
  })

  it('is believed over the beginning in what was used', () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 }
    const events = decoded(
      { type: 'message_start', message: { usage } },
      delta({}, { usage: { input_tokens: null, output_tokens: 7 } }),
      { type: 'message_stop' },
    )
    expect(events.slice(1)).toMatchObject([
      { type: 'usage', reportedUsage: { usage: { input: 5, cacheRead: 2, output: 7 } } },
      { type: 'end' },
    ])
  })

  it('is one: nothing is heard behind it', () => {
    const { events, close, malformedFrames } = decode({ type: 'message_stop' }, text, 'broken {')
    close()
    expect([events, malformedFrames]).toEqual([[{ type: 'end' }], 0])
  })

  it('may come without its last event, where the answer is whole', () => {
    const { events, close } = decode(delta({ stop_reason: 'end_turn' }))
    close()
    close()
    expect(events).toEqual([{ type: 'finish', finish: { reason: 'stop' } }, { type: 'end' }])
  })

  it('that never came is a failure, told once, after what was used', () => {
    const { events, close } = decode(delta({}, { usage: { output_tokens: 7 } }), text)
    close()
    close()
    expect(events).toMatchObject([
      textPart,
      { type: 'usage', reportedUsage: { usage: { output: 7 } } },
      {
        type: 'failure',
        failure: {
          message: 'The stream ended before the answer was whole.',
          type: 'stream_broken',
          code: '',
        },
      },
    ])
    expect(events).toHaveLength(3)
  })

  // https://platform.claude.com/docs/en/api/errors; vendors that copy the dialect leave the type or the event out.
  const encoded = '{"error":{"type":"overloaded_error","message":"Full"}}'
  it.each<Frame>([
    `{"type":"error",${encoded.slice(1)}`,
    encoded,
    [encoded, 'error'],
    [`{"type":"ping",${encoded.slice(1)}`, 'error'],
  ])('%j is an error, and the last word', frame => {
    const { events, close, malformedFrames } = decode(frame, text)
    close()
    expect([events, malformedFrames]).toEqual([
      [
        {
          type: 'failure',
          failure: {
            ...{ message: 'Full', type: 'overloaded_error', code: '' },
            unknownFields: dialectId({ body: Array.isArray(frame) ? frame[0] : frame }),
          },
        },
      ],
      0,
    ])
  })
})

describe('the end that only the first frame announces', () => {
  const call = open({ type: 'tool_use', id: 't', name: 'f', input: {} })
  const start = (stop_reason: string | null) => ({
    type: 'message_start',
    message: { id: 'm', model: 'm', content: [], stop_reason },
  })
  const reasonOf = (...frames: Frame[]) =>
    decoded(...frames, { type: 'message_stop' }).flatMap(each =>
      each.type === 'finish' ? [each.finish.reason] : [],
    )

  it('is the end of the stream', () => {
    expect(reasonOf(start('tool_use'), call)).toEqual(['tools'])
    expect(reasonOf(start('max_tokens'), text)).toEqual(['length'])
    expect(reasonOf(start(null), text)).toEqual([])
  })

  it('gives way to a later one', () => {
    const later = { type: 'message_delta', delta: { stop_reason: 'max_tokens' } }
    expect(reasonOf(start('end_turn'), text, later)).toEqual(['length'])
  })

  it('is a tool call where there is one, whatever the vendor says', () => {
    expect(reasonOf(start('end_turn'), call)).toEqual(['tools'])
    const later = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
    expect(reasonOf(start(null), call, later)).toEqual(['tools'])
  })

  it('does not complete a stream that breaks off', () => {
    const stream = decode(start('end_turn'), text)
    stream.close()
    expect(stream.events.at(-1)).toMatchObject({ type: 'failure' })
  })
})
