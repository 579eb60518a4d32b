import { expect, it } from 'vitest'
import type { ChatRequest, Citation, Part, Signature, UnknownFields } from '../canon.ts'
import { answerEvents } from '../collect.ts'
import { openaiResponses } from './index.ts'

// Encodes parts of other dialects as items: https://platform.openai.com/docs/api-reference/responses/object

const request: ChatRequest = {
  model: 'm',
  messages: [],
  tools: [{ type: 'custom', name: 'patch' }],
}
const answerOf = (parts: Part[]) => ({ id: 'r', model: 'm', choices: [{ parts }] })
/** As an answer, and as the history of a request. */
const asAnswer = (...parts: Part[]) => {
  const { body, warnings } = openaiResponses.encodeResponse(answerOf(parts), { request })
  return [body.output, warnings.map(each => each.dropped)]
}
const asHistory = (...parts: Part[]) => {
  const messages = [{ role: 'assistant' as const, parts }]
  const { body, warnings } = openaiResponses.encodeRequest({ ...request, messages })
  return [body.input, warnings.map(each => each.dropped)]
}
const framesOf = (...parts: Part[]) => {
  const encoder = openaiResponses.encodeEvents({ request })
  const result = [...answerEvents(answerOf(parts))].map(event => encoder.push(event)).join('')
  const lines = result.split('\n').filter(line => line.startsWith('data: '))
  return lines.map(line => JSON.parse(line.slice(6))).slice(2, -1)
}

const own = (fields: Record<string, unknown>): { unknownFields: UnknownFields } => ({
  unknownFields: { dialect: 'openai-responses', fields },
})
const text = (words: string, more: object = {}): Part => ({ type: 'text', text: words, ...more })
const thought = (words: string, more: object = {}): Part => ({
  type: 'thinking',
  text: words,
  ...more,
})
const call = (more: object = {}): Part => ({
  type: 'tool-call',
  id: 'c',
  name: 'f',
  input: '{}',
  ...more,
})
const foreign: Signature = { dialect: 'anthropic', text: 'p' }
const mine: Signature = { dialect: 'openai-responses', text: 'gAAA' }

const expectTexts = (id: string, ...words: string[]) => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: words.map(each => ({
    type: 'output_text',
    annotations: [],
    logprobs: [],
    text: each,
  })),
})
const thinks = (id: string, words: string[], more: object = {}) => ({
  id,
  type: 'reasoning',
  summary: words.map(each => ({ type: 'summary_text', text: each })),
  ...more,
})
const calls = (id: string) => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id: 'c',
  name: 'f',
  arguments: '{}',
})
const bare = ({ id, status, ...item }: { id: string; status?: string }) => item

it.each<[string, Part[], object[], string[]]>([
  ['texts are one message', [text('a'), text('b')], [expectTexts('msg_r_0', 'a', 'b')], []],
  [
    'a text with marks begins another',
    [text('a'), text('b', own({ item: { id: 'msg_1' } }))],
    [expectTexts('msg_r_0', 'a'), expectTexts('msg_1', 'b')],
    [],
  ],
  [
    'so does one behind something else',
    [text('a'), call(), text('b')],
    [expectTexts('msg_r_0', 'a'), calls('fc_r_1'), expectTexts('msg_r_2', 'b')],
    [],
  ],
  [
    'what is left out stands between two',
    [text('a'), { type: 'opaque', dialect: 'gemini', value: { executableCode: {} } }, text('b')],
    [expectTexts('msg_r_0', 'a'), expectTexts('msg_r_1', 'b')],
    ['executableCode'],
  ],
  [
    'no word goes into a message that is kept as it was',
    [
      { type: 'opaque', dialect: 'openai-responses', value: { type: 'message', content: [] } },
      text('a'),
    ],
    [{ id: 'item_r_0', type: 'message', content: [] }, expectTexts('msg_r_1', 'a')],
    [],
  ],
  [
    'nor a thought into such reasoning',
    [
      { type: 'opaque', dialect: 'openai-responses', value: { type: 'reasoning', summary: [] } },
      thought('a'),
    ],
    [{ id: 'item_r_0', type: 'reasoning', summary: [] }, thinks('rs_r_1', ['a'])],
    [],
  ],
  [
    'thoughts are one item until its proof',
    [
      thought('a'),
      thought('b', { signature: foreign }),
      thought('c'),
      thought('d', own({ item: {} })),
    ],
    [
      thinks('rs_r_0', ['a', 'b'], { encrypted_content: 'anthropic:p' }),
      thinks('rs_r_1', ['c']),
      thinks('rs_r_2', ['d']),
    ],
    [],
  ],
  [
    'the proof of a call is not of the thought before it',
    [thought('a'), call({ signature: mine })],
    [thinks('rs_r_0', ['a']), thinks('rs_r_1', [], { encrypted_content: 'gAAA' }), calls('fc_r_2')],
    [],
  ],
  [
    'a text has no place for a proof',
    [text('a', { signature: foreign })],
    [expectTexts('msg_r_0', 'a')],
    ['signature'],
  ],
  [
    'what is to be remembered, and foreign fields, are noted',
    [
      text('a', { cache: {}, unknownFields: { dialect: 'anthropic', fields: { eager: 1 } } }),
      { type: 'tool-result', id: 'c', parts: [] },
      { type: 'opaque', dialect: 'anthropic', value: { type: 'server_tool_use' } },
      { type: 'opaque', dialect: 'anthropic', value: {} },
    ],
    [expectTexts('msg_r_0', 'a')],
    ['eager', 'cache_control', 'tool-result', 'server_tool_use', 'part'],
  ],
  [
    'what is no value at all is noted',
    [{ type: 'opaque', dialect: 'anthropic', value: null }],
    [],
    ['part'],
  ],
  [
    'an item of this dialect that grew is not whole',
    [
      {
        type: 'opaque',
        dialect: 'openai-responses',
        value: { id: 'x', type: 'new_call' },
        streamedText: 'a',
        ...own({ status: 'completed' }),
      },
    ],
    [{ id: 'x', type: 'new_call', status: 'completed' }],
    ['new_call'],
  ],
  [
    'sounds, and pictures that are elsewhere, are noted',
    [
      { type: 'media', mime: 'audio/wav', base64: 'AAAA' },
      { type: 'media', mime: 'image/png', url: 'https://a.example' },
    ],
    [],
    ['audio', 'image'],
  ],
])('in an answer, %s', (_, parts, output, dropped) => {
  expect(asAnswer(...parts)).toStrictEqual([output, dropped])
})

const picture: Part = { type: 'media', mime: 'image/webp', base64: 'AAAA' }
const painted = { type: 'image_generation_call', status: 'completed' }

it.each<[string, Part[], object[], string[]]>([
  [
    'items have no ids of us',
    [text('a'), call()],
    [bare(expectTexts('', 'a')), bare(calls(''))],
    [],
  ],
  ['a thought without its proof means nothing', [thought('a')], [], ['thinking']],
  ['nor does one with a foreign proof', [thought('a', { signature: foreign })], [], ['thinking']],
  [
    'it stands between what was said before and behind it',
    [text('a'), thought('b'), text('c')],
    [bare(expectTexts('', 'a')), bare(expectTexts('', 'c'))],
    ['thinking'],
  ],
  [
    'its own proof says that it means something',
    [thought('a', { signature: mine })],
    [bare(thinks('', ['a'], { encrypted_content: 'gAAA' }))],
    [],
  ],
  [
    'and so do the marks of its item, for all its pieces',
    [thought('a', own({ item: { id: 'rs_1' } })), thought('b'), thought('c', { signature: mine })],
    [thinks('rs_1', ['a', 'b', 'c'], { encrypted_content: 'gAAA' })],
    [],
  ],
  [
    'a foreign proof in such an item is left out',
    [thought('a', { ...own({ item: {} }), signature: foreign })],
    [bare(thinks('', ['a']))],
    ['signature'],
  ],
  ['a call has no proof', [call({ signature: mine })], [bare(calls(''))], ['signature']],
  [
    'a picture of this vendor stays one',
    [{ ...picture, ...own({ item: { kind: 'image_generation_call', id: 'ig_1' } }) }],
    [{ id: 'ig_1', ...painted, result: 'AAAA' }],
    [],
  ],
  ['a picture of another is noted', [picture], [], ['image']],
])('in a history, %s', (_, parts, input, dropped) => {
  expect(asHistory(...parts)).toStrictEqual([input, dropped])
})

it('a picture says its format where its item does not', () => {
  expect(asAnswer(picture)[0]).toStrictEqual([
    { id: 'ig_r_0', ...painted, output_format: 'webp', result: 'AAAA' },
  ])
})

it('open reasoning stands beside the summary', () => {
  const content = own({ of: 'content' })
  const [output] = asAnswer(thought('a'), thought('b', content), thought('c', content))
  expect(output).toStrictEqual([
    thinks('rs_r_0', ['a'], {
      content: ['b', 'c'].map(each => ({ type: 'reasoning_text', text: each })),
    }),
  ])
})

it.each<[string, object, string]>([
  ['its text', { input: '{"input":"*** Begin"}' }, '*** Begin'],
  ['what has no text as it is', { input: '{"input":7}' }, '{"input":7}'],
  ['what is no object as it is', { input: 'null' }, 'null'],
  ['what is no JSON as it is', { input: '*** Begin' }, '*** Begin'],
  ['what is a text already as it is', { input: '{"input":"x"}', custom: true }, '{"input":"x"}'],
])('a function that stands for a custom tool gives %s', (_, more, input) => {
  const part = call({ name: 'patch', ...more })
  const head = { type: 'custom_tool_call', call_id: 'c', name: 'patch' }
  expect(asAnswer(part)[0]).toStrictEqual([{ id: 'ctc_r_0', status: 'completed', ...head, input }])
  expect(asHistory(part)[0]).toStrictEqual([{ ...head, input }])
  const result = framesOf(part)
  expect(result.map(({ type }) => type)).toEqual([
    'response.output_item.added',
    'response.custom_tool_call_input.delta',
    'response.custom_tool_call_input.done',
    'response.output_item.done',
  ])
  const [added, delta, done] = result
  expect([added.item.input, added.item.status]).toEqual(['', 'in_progress'])
  expect([delta.delta, done.input]).toEqual([input, input])
})

it.each<[Citation, object]>([
  [{ url: 'u' }, { type: 'url_citation', start_index: 0, end_index: 0, url: 'u', title: '' }],
  [
    { url: 'u', title: 't', start: 1, end: 2, quote: 'q' },
    { type: 'url_citation', start_index: 1, end_index: 2, url: 'u', title: 't' },
  ],
  [
    { raw: { dialect: 'openai-responses', value: { type: 'file_citation', file_id: 'f' } } },
    { type: 'file_citation', file_id: 'f' },
  ],
])('the source %j is told as %j', (citation, annotation) => {
  const [output, dropped] = asAnswer(text('a', { citations: [citation, citation] }))
  expect(output).toMatchObject([{ content: [{ annotations: [annotation, annotation] }] }])
  expect(dropped).toEqual([])
  const result = framesOf(text('a', { citations: [citation, citation] }))
  expect(
    result.filter(({ type }) => type === 'response.output_text.annotation.added'),
  ).toMatchObject([
    { item_id: 'msg_r_0', content_index: 0, annotation_index: 0, annotation },
    { item_id: 'msg_r_0', content_index: 0, annotation_index: 1, annotation },
  ])
})

it('a source without an address, and the source of a refusal, are noted', () => {
  const raw = { dialect: 'anthropic' as const, value: {} }
  expect(asAnswer(text('a', { citations: [{ title: 't', raw }] }))).toStrictEqual([
    [expectTexts('msg_r_0', 'a')],
    ['citations'],
  ])
  const [output, dropped] = asAnswer(text('no', { refusal: true, citations: [{ url: 'u' }] }))
  expect(output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'no' }] }])
  expect(dropped).toEqual(['citations'])
})

it('items are told in their turn, each one opened, told and closed', () => {
  const result = framesOf(text('a'), text(''), thought('b'), picture)
  expect(result.map(({ type, output_index }) => `${output_index} ${type.slice(9)}`)).toEqual([
    '0 output_item.added',
    '0 content_part.added',
    '0 output_text.delta',
    '0 output_text.done',
    '0 content_part.done',
    '0 content_part.added',
    '0 output_text.done',
    '0 content_part.done',
    '0 output_item.done',
    '1 output_item.added',
    '1 reasoning_summary_part.added',
    '1 reasoning_summary_text.delta',
    '1 reasoning_summary_text.done',
    '1 reasoning_summary_part.done',
    '1 output_item.done',
    '2 output_item.added',
    '2 output_item.done',
  ])
  expect(result[5]).toMatchObject({ item_id: 'msg_r_0', content_index: 1 })
  expect(result[15].item).toMatchObject({ ...painted, status: 'in_progress', result: null })
  const kept: Part = {
    type: 'opaque',
    dialect: 'openai-responses',
    value: { type: 'new', status: 'completed' },
  }
  expect(framesOf(kept).map(({ item }) => item)).toStrictEqual(
    Array(2).fill({ id: 'item_r_0', type: 'new', status: 'completed' }),
  )
})
