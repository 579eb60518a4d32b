import { expect, it } from 'vitest'
import type { ChatEvent, Part } from '../../canon.ts'
import type { EncodeOptions } from '../../dialect.ts'
import { noUsage } from '../../usage.ts'
import { openaiResponses } from '../index.ts'

// https://platform.openai.com/docs/api-reference/responses-streaming

type Frame = { type: string; response: Record<string, unknown> }

const encodeAll = (events: readonly ChatEvent[], options?: EncodeOptions) => {
  const encoder = openaiResponses.encodeEvents(options)
  const result = events.map(event => encoder.push(event)).join('')
  const frames = result.split('\n').filter(line => line.startsWith('data: '))
  return {
    frames: frames.map(line => JSON.parse(line.slice(6)) as Frame),
    dropped: encoder.warnings.map(each => each.dropped),
  }
}
const own = (fields: Record<string, unknown>) =>
  ({ unknownFields: { dialect: 'openai-responses', fields } }) as const
const strange = { unknownFields: { dialect: 'anthropic', fields: { container: 'c' } } } as const

const start: ChatEvent = { type: 'start', id: 'r', model: 'm' }
const end: ChatEvent = { type: 'end' }
const text: ChatEvent = { type: 'part', index: 0, part: { type: 'text', text: 'a' } }
const typesOf = (frames: readonly Frame[]) => frames.map(frame => frame.type)

it('each event is a frame with its name and number', () => {
  const encoder = openaiResponses.encodeEvents({ createdAt: 7 })
  const begun = encoder.push(start)
  expect(begun.split('\n\n').map(frame => frame.split('\n')[0])).toEqual([
    'event: response.created',
    'event: response.in_progress',
    '',
  ])
  const result = JSON.parse(begun.split('\n')[1]!.slice('data: '.length))
  expect(result).toMatchObject({
    type: 'response.created',
    sequence_number: 0,
    response: {
      id: 'r',
      model: 'm',
      created_at: 7,
      status: 'in_progress',
      output: [],
      usage: null,
    },
  })
  const last = encoder.push(end)
  expect(JSON.parse(last.split('\n')[1]!.slice('data: '.length))).toMatchObject({
    type: 'response.completed',
    sequence_number: 2,
  })
})

it('begins once, whatever comes first, and tells nothing after the end', () => {
  const { frames } = encodeAll([text, start, start, end, end, text])
  expect(typesOf(frames).filter(type => !type.includes('.o') && !type.includes('content'))).toEqual(
    ['response.created', 'response.in_progress', 'response.completed'],
  )
  const failed = encodeAll([
    { type: 'failure', failure: { message: 'no', type: 't', code: 'c' } },
    end,
  ])
  expect(typesOf(failed.frames)).toEqual([
    'response.created',
    'response.in_progress',
    'error',
    'response.failed',
  ])
})

it('a stream that ends without a reason is whole, and its usage is what was told last', () => {
  const usage = { ...noUsage(), input: 2 }
  const reportedUsage = { usage }
  const of = (...events: ChatEvent[]) => encodeAll(events).frames.at(-1)?.response
  expect(of({ ...start, reportedUsage } as ChatEvent, end)).toMatchObject({
    status: 'completed',
    usage: { input_tokens: 2, output_tokens: 0 },
  })
  const more: ChatEvent = { type: 'usage', reportedUsage: { usage: { ...usage, output: 3 } } }
  expect(of({ ...start, reportedUsage } as ChatEvent, more, end)).toMatchObject({
    usage: { input_tokens: 2, output_tokens: 3, total_tokens: 5 },
  })
  expect(
    of(start, { type: 'usage', reportedUsage: own({ input_tokens: 9 }) }, more, end),
  ).toMatchObject({
    usage: { input_tokens: 9 },
  })
  expect(of(start, end)).toMatchObject({ usage: null })
})

it('what a response says of itself later is told at its end', () => {
  const { frames, dropped } = encodeAll([
    { ...start, ...own({ moderation: 1, echo: { store: true } }) } as ChatEvent,
    { type: 'unknown-fields', ...own({ model: 'm-2', echo: { store: true, completed_at: 9 } }) },
    end,
  ])
  expect(frames[0]?.response).toMatchObject({ model: 'm', moderation: 1, store: true })
  expect(frames.at(-1)?.response).toMatchObject({ model: 'm-2', moderation: 1, completed_at: 9 })
  expect(dropped).toEqual([])
})

it.each<[string, ChatEvent]>([
  ['container', { type: 'unknown-fields', ...strange }],
  ['container', { type: 'unknown-fields', index: 0, ...strange }],
  ['container', { ...start, ...strange } as ChatEvent],
  ['transcript', { type: 'transcript', index: 0, text: 'a' }],
  ['choices', { type: 'part', choice: 1, index: 0, part: { type: 'text', text: 'b' } }],
  ['signature', { type: 'signature', index: 0, signature: { dialect: 'gemini', text: 'p' } }],
  ['citations', { type: 'citation', index: 0, citation: { quote: 'q' } }],
])('%s has no place in a stream, which is noted: %j', (name, event) => {
  const { frames, dropped } = encodeAll([start, text, event, end])
  expect([typesOf(frames), dropped]).toEqual([
    typesOf(encodeAll([start, text, end]).frames),
    [name],
  ])
})

it('progress of a foreign tool, and of an item that is not open, is not told', () => {
  const progress = (dialect: 'anthropic' | 'openai-responses', value: object): ChatEvent => ({
    type: 'opaque',
    dialect,
    name: 'response.new',
    value,
  })
  const { frames } = encodeAll([
    start,
    progress('anthropic', {}),
    progress('openai-responses', { output_index: 4 }),
    { type: 'part', index: 0, choice: 0, part: { type: 'text', text: 'a' } },
    progress('openai-responses', { output_index: 4, of: 1 }),
    progress('openai-responses', { of: 2 }),
    end,
  ])
  expect(frames.filter(({ type }) => type === 'response.new')).toMatchObject([
    { output_index: 0, of: 1 },
    { of: 2 },
  ])
})

it('a failure is told with what was said and used before it', () => {
  const reportedUsage = { usage: { ...noUsage(), input: 1 } }
  const failure = { message: 'Broken.', type: 't', code: 'c', ...own({ param: 'p' }) }
  const { frames } = encodeAll([
    start,
    text,
    { type: 'usage', reportedUsage },
    { type: 'failure', failure },
  ])
  const [error, last] = frames.slice(-2)
  expect(error).toEqual({
    type: 'error',
    sequence_number: frames.length - 2,
    error: { type: 't', code: 'c', message: 'Broken.', param: 'p' },
  })
  expect(last).toMatchObject({
    type: 'response.failed',
    response: {
      id: 'r',
      status: 'failed',
      error: { code: 'c', message: 'Broken.' },
      output: [{ type: 'message', content: [{ text: 'a' }] }],
      usage: { input_tokens: 1 },
    },
  })
  const bare = encodeAll([start, { type: 'failure', failure: { message: '', type: '', code: '' } }])
  expect(bare.frames.at(-2)).toMatchObject({ error: { param: null } })
  expect(bare.frames.at(-1)?.response).toMatchObject({ usage: null, output: [] })
})

it('what grows piece by piece is told as one, and what comes late stands in its item', () => {
  const whole = (part: Part, ...events: ChatEvent[]) => {
    const { frames, dropped } = encodeAll([start, { type: 'part', index: 0, part }, ...events, end])
    return [(frames.at(-1)!.response.output as object[])[0], dropped]
  }
  const delta = (words: string): ChatEvent => ({ type: 'delta', index: 0, text: words })
  const late = (fields: Record<string, unknown>): ChatEvent => ({
    type: 'unknown-fields',
    index: 0,
    ...own(fields),
  })
  expect(
    whole({ type: 'media', mime: 'image/png', base64: 'AA' }, delta('BB'), delta('CC')),
  ).toMatchObject([{ type: 'image_generation_call', result: 'AABBCC' }, []])
  expect(
    whole(
      { type: 'text', text: 'a' },
      delta('b'),
      late({ odd: 1, item: { phase: 'x', kind: 'y' } }),
    ),
  ).toEqual([
    {
      id: 'msg_r_0',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      phase: 'x',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'ab', odd: 1 }],
    },
    [],
  ])
  const call = { type: 'tool-call', id: 'c', name: 'f', input: '{' } as const
  const result = { id: 'fc_r_0', type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
  expect(whole(call, delta('}'), late({ item: { namespace: 'n' }, odd: 1 }))).toEqual([
    { ...result, status: 'completed', namespace: 'n' },
    [],
  ])
  expect(whole(call, delta('}'), late({ odd: 1 }))).toEqual([
    { ...result, status: 'completed', odd: 1 },
    [],
  ])
  // Nothing is open after what could not be told.
  const foreign: Part = { type: 'opaque', dialect: 'anthropic', value: { type: 'x' } }
  expect(whole(foreign, delta('a'), late({ odd: 1 }))).toEqual([undefined, ['x']])
})
