import { expect, it } from 'vitest'
import type { ChatEvent, Part } from '../../canon.ts'
import { gemini } from '../index.ts'

/** The frames that a caller reads, as the vendor writes them, and what could not be said. */
const encode = (...events: ChatEvent[]) => {
  const encoder = gemini.encodeEvents()
  const text = [start, ...events, end].map(event => encoder.push(event)).join('')
  const frames = text.split('\n\n').filter(Boolean)
  return {
    frames: frames.map(each => JSON.parse(each.slice('data: '.length))),
    dropped: encoder.warnings.map(each => each.dropped),
  }
}
const start: ChatEvent = { type: 'start', id: 'r', model: 'm' }
const end: ChatEvent = { type: 'end' }
const opens = (part: Part, index = 0): ChatEvent => ({ type: 'part', index, part })
const grows = (text: string, index = 0): ChatEvent => ({ type: 'delta', index, text })
const partsOf = (...events: ChatEvent[]) =>
  encode(...events).frames.flatMap(each => each.candidates[0].content.parts)
const facts = { modelVersion: 'm', responseId: 'r' }
const frame = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  ...facts,
})
const last = (more: object = {}) => frame([{ text: '' }], { finishReason: 'STOP', ...more })

// https://ai.google.dev/api/generate-content#GenerateContentResponse
it('each frame is an answer of its own, and the last one says why it ended', () => {
  const logprobs = [{ token: 'b', logprob: -1, top: [{ token: 'c', logprob: -2 }] }]
  expect(
    encode(
      opens({ type: 'text', text: 'a' }),
      { type: 'delta', index: 0, text: 'b', logprobs },
      { type: 'finish', finish: { reason: 'length' } },
      { type: 'usage', reportedUsage: { usage: 'broken' } },
    ),
  ).toEqual({
    frames: [
      frame([{ text: 'a' }]),
      frame([{ text: 'b' }], {
        logprobsResult: {
          chosenCandidates: [{ token: 'b', logProbability: -1 }],
          topCandidates: [{ candidates: [{ token: 'c', logProbability: -2 }] }],
        },
      }),
      {
        ...last({ finishReason: 'MAX_TOKENS' }),
        usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
      },
    ],
    dropped: [],
  })
})

it('an answer of no words and without a reason is one all the same', () => {
  expect(encode()).toEqual({ frames: [last()], dropped: [] })
})

it.each([
  [end, ''],
  [{ type: 'failure', failure: { message: 'x', type: '', code: '' } }, ''],
] as const)('nothing is written behind the end: %j', (ending, nothing) => {
  const encoder = gemini.encodeEvents()
  for (const event of [start, ending]) encoder.push(event)
  expect(encoder.push(opens({ type: 'text', text: 'late' }))).toBe(nothing)
  expect(encoder.push(end)).toBe(nothing)
})

it.each(['text', 'thinking'] as const)(
  'a proof told early stands behind the last words: %s',
  type => {
    const signature = { dialect: 'gemini', text: 'c2ln' } as const
    const isThought = type === 'thinking' ? { thought: true } : {}
    expect(partsOf(opens({ type, text: '', signature }), grows('a'), grows('b'))).toEqual([
      { text: 'a', ...isThought },
      { text: 'b', ...isThought },
      { text: '', ...isThought, thoughtSignature: 'c2ln' },
      { text: '' },
    ])
  },
)

it('a proof that comes later goes to its part: words, a call, and no sound', () => {
  const signature: ChatEvent = {
    type: 'signature',
    index: 0,
    signature: { dialect: 'gemini', text: 'c2ln' },
  }
  const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '{}' }
  expect(partsOf(opens(call), signature)).toEqual([
    { functionCall: { id: 'c', name: 'f', args: {} }, thoughtSignature: 'c2ln' },
    { text: '' },
  ])
  expect(partsOf(opens({ type: 'thinking', text: 'a' }), signature)).toEqual([
    { text: 'a', thought: true },
    { text: '', thought: true, thoughtSignature: 'c2ln' },
    { text: '' },
  ])
  const sound: Part = { type: 'media', mime: 'audio/wav', base64: 'AA==' }
  expect(encode(opens(sound), signature).dropped).toEqual(['signature'])
})

it('a sound grows by pieces, each with the form of its bytes', () => {
  const sound: Part = { type: 'media', mime: 'audio/wav', base64: 'AAAA' }
  expect(partsOf(opens(sound), grows('BBBB'))).toEqual([
    { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
    { inlineData: { mimeType: 'audio/wav', data: 'BBBB' } },
    { text: '' },
  ])
})

it('fields of a part are told once, with its first words', () => {
  const unknownFields = { dialect: 'gemini', fields: { partMetadata: { a: 1 } } } as const
  for (const text of ['a', ''])
    expect(partsOf(opens({ type: 'text', text, unknownFields }), grows('b'), grows('c'))).toEqual([
      { text: text || 'b', partMetadata: { a: 1 } },
      ...(text ? [{ text: 'b' }] : []),
      { text: 'c' },
      { text: '' },
    ])
})

it('what is cited stands in the words that grew, not in the thoughts beside them', () => {
  const citation = { url: 'https://a.example', start: 1, end: 3 }
  const { frames } = encode(
    opens({ type: 'thinking', text: 'x' }),
    grows('yz'),
    opens({ type: 'text', text: 'a' }, 1),
    grows('bc', 1),
    { type: 'citation', index: 1, citation },
  )
  expect(frames.at(-1).candidates[0].groundingMetadata.groundingSupports).toEqual([
    { segment: { startIndex: 1, endIndex: 3, text: 'bc' }, groundingChunkIndices: [0] },
  ])
})

it('fields of the whole answer are told in the next frame, and once', () => {
  const fieldsOf = (fields: object): ChatEvent => ({
    type: 'unknown-fields',
    unknownFields: { dialect: 'gemini', fields: fields as Record<string, unknown> },
  })
  const words = opens({ type: 'text', text: 'a' })
  expect(encode(fieldsOf({ early: 1 }), words, fieldsOf({ late: 2 })).frames).toEqual([
    { ...frame([{ text: 'a' }]), early: 1 },
    { ...last(), late: 2 },
  ])
  const refused = { promptFeedback: { blockReason: 'SAFETY' } }
  expect(encode(fieldsOf(refused)).frames).toEqual([{ ...facts, ...refused }])
})

it('each answer of several is told under its number', () => {
  const second: ChatEvent = { ...opens({ type: 'text', text: 'b' }), choice: 1 } as ChatEvent
  const { frames } = encode(opens({ type: 'text', text: 'a' }), second)
  const encoded = frames.map(each => each.candidates.map((one: { index: number }) => one.index))
  expect(encoded).toEqual([[0], [1], [0, 1]])
})

it('fields of one answer stand at its end, fields of a part that has begun nowhere', () => {
  const unknownFields = { dialect: 'gemini', fields: { avgLogprobs: -1 } } as const
  expect(encode({ type: 'unknown-fields', choice: 1, unknownFields }).frames).toEqual([
    {
      ...facts,
      candidates: [0, 1].map(index => ({
        content: { parts: [{ text: '' }], role: 'model' },
        finishReason: 'STOP',
        index,
        ...(index === 1 ? { avgLogprobs: -1 } : {}),
      })),
    },
  ])
  expect(encode({ type: 'unknown-fields', index: 0, unknownFields }).frames).toEqual([last()])
})

it('what this dialect has no place for is noted by its name', () => {
  const unknownFields = { dialect: 'openai-chat', fields: { system_fingerprint: 'f' } } as const
  const noted = (...events: ChatEvent[]) => encode(...events).dropped
  expect(noted(opens({ type: 'text', text: 'a', cache: {} }))).toEqual(['cache_control'])
  expect(noted({ type: 'transcript', index: 0, text: 'a' })).toEqual(['transcript'])
  expect(noted({ type: 'unknown-fields', unknownFields })).toEqual(['system_fingerprint'])
  expect(noted({ ...start, unknownFields } as ChatEvent)).toEqual(['system_fingerprint'])
})
