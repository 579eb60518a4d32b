import { expect, it } from 'vitest'
import type { ChatEvent } from '../../canon.ts'
import { collectAnswer } from '../../collect.ts'
import { gemini } from '../index.ts'

const decode = (...frames: (object | string)[]) => {
  const events: ChatEvent[] = []
  const decoder = gemini.decodeFrames(event => events.push(event))
  for (const frame of frames)
    decoder.pushFrame(typeof frame === 'string' ? frame : JSON.stringify(frame), '')
  decoder.end()
  return { events, malformedFrames: decoder.malformedFrames(), answer: collectAnswer(events) }
}
const payload = (...parts: object[]) => ({ candidates: [{ content: { role: 'model', parts } }] })
const stop = { candidates: [{ finishReason: 'STOP' }] }
const partsIn = (...frames: object[]) => decode(...frames, stop).answer.choices[0]!.parts
const data = (mimeType: string, bytes: string, more: object = {}) => ({
  inlineData: { mimeType, data: bytes },
  ...more,
})

it('what is cited is found in all the words that came', () => {
  const grounding = {
    candidates: [
      {
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
          groundingSupports: [
            { segment: { startIndex: 2, endIndex: 8 }, groundingChunkIndices: [0] },
          ],
        },
      },
    ],
  }
  const { answer } = decode(payload({ text: 'é世' }), payload({ text: '界 ok' }), grounding)
  expect(answer.choices[0]!.parts).toMatchObject([
    { text: 'é世界 ok', citations: [{ url: 'https://a.example', start: 1, end: 3 }] },
  ])
})

it('only pieces of one sound are one sound', () => {
  const wav = data('audio/wav', 'AAAA')
  const image = data('image/png', 'CCCC')
  const signed = data('audio/wav', 'DDDD', { thoughtSignature: 'c2ln' })
  expect(
    partsIn(
      payload(image),
      payload(image),
      payload(wav),
      payload(wav),
      payload(data('audio/L16', 'BBBB')),
    ),
  ).toMatchObject([
    { mime: 'image/png', base64: 'CCCC' },
    { mime: 'image/png', base64: 'CCCC' },
    { mime: 'audio/wav', base64: 'AAAAAAAA' },
    { mime: 'audio/L16', base64: 'BBBB' },
  ])
  expect(partsIn(payload(wav), payload(image), payload(wav), payload(signed))).toMatchObject([
    { mime: 'audio/wav', base64: 'AAAA' },
    { mime: 'image/png', base64: 'CCCC' },
    { mime: 'audio/wav', base64: 'AAAA' },
    { mime: 'audio/wav', base64: 'DDDD' },
  ])
})

it('thoughts come in pieces as words do, and empty words are none', () => {
  const thoughts = ['a', '', 'b'].map(text => payload({ text, thought: true }))
  expect(partsIn(...thoughts, payload({ text: '' }), payload({ text: 'c' }))).toEqual([
    { type: 'thinking', text: 'ab' },
    { type: 'text', text: 'c' },
  ])
})

it('words behind a signature are others: it stands for those before it', () => {
  expect(
    partsIn(
      payload({ text: 'a' }),
      payload({ text: 'b', thoughtSignature: 'c2ln' }),
      payload({ text: 'c' }),
    ),
  ).toEqual([
    { type: 'text', text: 'ab', signature: { dialect: 'gemini', text: 'c2ln' } },
    { type: 'text', text: 'c' },
  ])
})

// https://google.aip.dev/193
it.each([
  [
    { code: 503, message: 'Busy.', status: 'UNAVAILABLE', details: [] },
    {
      message: 'Busy.',
      type: 'UNAVAILABLE',
      code: '503',
      unknownFields: { dialect: 'gemini', fields: { details: [] } },
    },
  ],
  [
    { message: 7, status: 7 },
    { message: '', type: '', code: '' },
  ],
])('an error is the end, whatever it says: %j', (error, failure) => {
  const { events } = decode(payload({ text: 'a' }), { error }, payload({ text: 'b' }), stop)
  expect(events.slice(2)).toEqual([{ type: 'failure', failure }])
})

it('another dialect’s closing frame is no frame, and no garbage', () => {
  const { events, malformedFrames } = decode(payload({ text: 'a' }), stop, ' [DONE]')
  expect([events.at(-1), malformedFrames]).toEqual([{ type: 'end' }, 0])
})

it('an answer that ends without its reason has failed', () => {
  expect(decode(payload({ text: 'a' })).events.at(-1)).toEqual({
    type: 'failure',
    failure: { message: 'The answer ended before its end.', type: 'UNAVAILABLE', code: '503' },
  })
})

it('a field of the whole answer that changes is told again, and no other', () => {
  const first = {
    ...payload({ text: 'a' }),
    responseId: 'r',
    createTime: '1',
    modelStatus: { a: 1 },
  }
  const { events, answer } = decode(
    first,
    { ...first, modelStatus: { a: 2 } },
    { ...first, ...stop },
  )
  const encoded = events.filter(each => each.type === 'unknown-fields' || each.type === 'start')
  const fields = (modelStatus: object, more: object = {}) => ({
    dialect: 'gemini',
    fields: { ...more, modelStatus },
  })
  expect(encoded).toEqual([
    { type: 'start', id: 'r', model: '', unknownFields: fields({ a: 1 }, { createTime: '1' }) },
    { type: 'unknown-fields', unknownFields: fields({ a: 2 }) },
    { type: 'unknown-fields', unknownFields: fields({ a: 1 }) },
  ])
  expect(answer.unknownFields).toEqual(fields({ a: 1 }, { createTime: '1' }))
})

it('a reason to refuse the prompt ends an answer that has no other', () => {
  const refused = { promptFeedback: { blockReason: 'SAFETY' } }
  expect(decode(refused).answer.choices).toEqual([{ parts: [], finish: { reason: 'filter' } }])
  expect(decode({ ...refused, ...stop }).answer.choices).toEqual([
    { parts: [], finish: { reason: 'stop' } },
  ])
})

it.each([
  [0, 0],
  [2, 2],
  [127, 127],
  [128, 1],
  [-1, 1],
  [0.5, 1],
  ['0', 1],
  [undefined, 1],
])('an answer with the number %j behind another is number %i', (index, choice) => {
  const candidates = [
    { index: 9, content: { parts: [{ text: 'x' }] } },
    { index, content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' },
  ]
  const place = choice === 0 ? {} : { choice }
  const { events } = decode({ candidates })
  expect(events.filter(each => each.type === 'part')[1]).toEqual({
    type: 'part',
    ...place,
    index: 0,
    part: { type: 'text', text: 'a' },
  })
  expect(events.at(-2)).toEqual({ type: 'finish', ...place, finish: { reason: 'stop' } })
})

// https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
it.each([
  ['nothing', [], {}],
  ['a text in pieces', [piece('$.a', 'x'), piece('$.a', 'y'), piece('$.a', '')], { a: 'xy' }],
  ['a path through a text', [piece('$.a', 'x'), piece('$.a.b', 'y')], { a: { b: 'y' } }],
  ['a path through null', [{ jsonPath: '$.a' }, piece('$.a.b', 'y')], { a: { b: 'y' } }],
  ['a name in a list', [piece('$.a[0]', 'x'), piece('$.a.length', 'y')], { a: { length: 'y' } }],
  ['a list', [piece('$.a[0]', 'x'), piece('$.a[1]', 'y')], { a: ['x', 'y'] }],
])('arguments in pieces: %s', (_, partialArgs, args) => {
  const [call] = partsIn(
    payload({ functionCall: { name: 'f', willContinue: true } }),
    payload({ functionCall: { partialArgs, willContinue: true } }),
    payload({ functionCall: {} }),
  )
  expect(call).toEqual({
    type: 'tool-call',
    id: '',
    name: 'f',
    input: JSON.stringify(args),
  })
})

function piece(jsonPath: string, stringValue: string) {
  return { jsonPath, stringValue }
}
