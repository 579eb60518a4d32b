import { expect, it } from 'vitest'
import type { ChatRequest, Message, Part } from '../../canon.ts'
import { gemini } from '../index.ts'

const read = (contents: unknown): Message[] => {
  const result = gemini.decodeRequest({ contents }, { model: 'm', stream: false })
  if (!result.ok) throw new Error(result.hint)
  return result.request.messages
}
const write = (messages: Message[], model = 'm') => {
  const { body, warnings } = gemini.encodeRequest({ model, messages } satisfies ChatRequest)
  return { contents: body.contents, dropped: warnings.map(each => each.dropped), body }
}
const partOf = (part: object) => read([{ role: 'model', parts: [part] }])[0]?.parts[0]
const payload = (...parts: Part[]) => write([{ role: 'user', parts }])
const text = (words: string): Part => ({ type: 'text', text: words })
const foreign = { dialect: 'openai-chat', fields: { odd: 1 } } as const

// https://ai.google.dev/api/caching#Content
it.each([
  ['a text', 'Hi', [{ role: 'user', parts: [text('Hi')] }]],
  [
    'texts',
    ['Hi', 'there'],
    [
      { role: 'user', parts: [text('Hi')] },
      { role: 'user', parts: [text('there')] },
    ],
  ],
  ['nothing', null, []],
  ['no parts', [{ role: 'user' }], [{ role: 'user', parts: [] }]],
  ['no content', [null], [{ role: 'user', parts: [] }]],
])('a prompt may be %s', (_, contents, messages) => {
  expect(read(contents)).toEqual(messages)
})

it('results between words stand between them, in messages of their own', () => {
  const result = (id: string) => ({
    functionResponse: { id, name: 'f', response: { output: id } },
  })
  const parts = [{ text: 'a' }, result('1'), result('2'), { text: 'b' }, { text: 'c' }]
  const messages = read([{ role: 'user', parts, later: 1 }])
  expect(messages.map(({ role, parts }) => [role, parts.length])).toEqual([
    ['user', 1],
    ['tool', 2],
    ['user', 2],
  ])
  expect(messages[2]?.unknownFields).toEqual({ dialect: 'gemini', fields: { later: 1 } })
})

// https://ai.google.dev/api/caching#FunctionResponse
it('a result belongs to the call that it names, else to the oldest open one of its name', () => {
  const call = (id?: string) => ({ functionCall: { id, name: 'f', args: {} } })
  const result = (id?: string) => ({ functionResponse: { id, name: 'f' } })
  const idsFor = (calls: object[], results: object[]) =>
    read([
      { role: 'model', parts: calls },
      { role: 'user', parts: results },
    ])[1]?.parts.map(part => part.type === 'tool-result' && part.id)
  expect(idsFor([call(), call('b')], [result('b'), result()])).toEqual(['b', 'call_0'])
  expect(idsFor([call(), call('')], [result(), result()])).toEqual(['call_0', 'call_1'])
  expect(idsFor([call('a')], [result('z')])).toEqual(['z'])
  expect(idsFor([], [result()])).toEqual(['call_f'])
})

// https://ai.google.dev/api/caching#Part
it.each([
  { functionCall: { id: 'c', name: 'f', args: { a: 1 }, later: 1 }, partMetadata: { b: 2 } },
  { functionResponse: { id: 'c', name: 'f', response: { output: 'x' }, willContinue: true } },
  { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'n', later: 1 } },
  { fileData: { mimeType: 'video/mp4', fileUri: 'https://v', displayName: 'n', later: 1 } },
  {
    fileData: { mimeType: 'video/mp4', fileUri: 'https://v', displayName: 'n' },
    videoMetadata: {},
  },
  { text: 'a', partMetadata: { b: 2 } },
  { text: 'a', thought: true, thoughtSignature: 'c2ln', later: 1 },
  { executableCode: { language: 'PYTHON', code: 'a' } },
])('a part keeps what is known of it and what is not, each where it stood: %j', part => {
  const turns = [{ role: 'functionResponse' in part ? 'user' : 'model', parts: [part] }]
  const { contents, dropped } = write(read(turns))
  expect([contents, dropped]).toEqual([turns, []])
})

it('what is known of a part is no field of its own dialect besides', () => {
  const { unknownFields } = partOf({
    functionCall: { id: 'c', name: 'f', args: {}, partialArgs: [], willContinue: false },
  }) as Part
  const { unknownFields: file } = partOf({
    fileData: { mimeType: 'video/mp4', fileUri: 'https://v', displayName: 'n' },
  }) as Part
  expect([unknownFields, file]).toEqual([undefined, undefined])
})

// https://ai.google.dev/api/caching#FunctionResponse: "output" for what a function gave, "error" for why it failed.
it.each([
  [{ output: 'x' }, 'x', undefined],
  [{ error: 'x' }, 'x', true],
  [{ result: 'x' }, '{"result":"x"}', undefined],
  [{ output: 'x', more: 1 }, '{"output":"x","more":1}', undefined],
  [{ output: { a: 1 } }, '{"output":{"a":1}}', undefined],
  [{ error: { a: 1 } }, '{"error":{"a":1}}', undefined],
  [{ a: 1 }, '{"a":1}', undefined],
  [undefined, '{}', undefined],
])('the result %j is the text %s', (response, words, failed) => {
  const functionResponse = { id: 'c', name: 'f', response }
  expect(read([{ role: 'user', parts: [{ functionResponse }] }])[0]?.parts[0]).toEqual({
    type: 'tool-result',
    id: 'c',
    name: 'f',
    parts: [text(words)],
    failed,
  })
})

it.each([
  ['x', { output: 'x' }],
  ['7', { output: '7' }],
  ['[1]', { output: '[1]' }],
  ['{"a":1}', { a: 1 }],
  ['{"output":1,"a":2}', { output: 1, a: 2 }],
  // Otherwise they would be the texts inside them when they are read again.
  ['{"output":"x"}', { output: '{"output":"x"}' }],
  ['{"error":"x"}', { output: '{"error":"x"}' }],
])('the text %s is the result %j', (words, response) => {
  const result: Part = { type: 'tool-result', id: 'c', name: 'f', parts: [text(words)] }
  expect(write([{ role: 'tool', parts: [result] }]).contents).toEqual([
    { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response } }] },
  ])
})

it('a result without the name of its tool gets it from its call', () => {
  const call: Part = { type: 'tool-call', id: 'c', name: 'look', input: '{}' }
  const result = (id: string): Part => ({ type: 'tool-result', id, parts: [text('x')] })
  const { contents } = write([
    { role: 'assistant', parts: [text('Let me see.'), call] },
    { role: 'tool', parts: [result('c'), result('d')] },
  ])
  expect((contents as object[])[1]).toMatchObject({
    parts: [{ functionResponse: { name: 'look' } }, { functionResponse: { name: 'd' } }],
  })
})

it('pictures of a result stand beside it, and what else it holds is noted', () => {
  const shape = { dialect: 'openai-chat', fields: { shape: 1 } } as const
  const image: Part = { type: 'media', mime: 'image/png', base64: 'AA==', unknownFields: shape }
  const odd: Part = { type: 'thinking', text: 'x' }
  const parts = [text('a'), image, text('b'), odd]
  const { contents, dropped } = write([
    {
      role: 'tool',
      parts: [{ type: 'tool-result', id: 'c', name: 'f', parts, unknownFields: foreign }],
    },
  ])
  expect(contents).toMatchObject([
    {
      parts: [
        {
          functionResponse: {
            response: { output: 'a\nb' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
          },
        },
      ],
    },
  ])
  expect(dropped).toEqual(['odd', 'shape', 'thinking'])
})

it('leading words of the system and of the developer have a place of their own', () => {
  const { body, dropped } = write([
    { role: 'system', parts: [text('a')] },
    { role: 'developer', parts: [text('b')] },
    { role: 'user', parts: [text('c')] },
    { role: 'developer', parts: [text('d')] },
  ])
  expect(body).toEqual({
    systemInstruction: { parts: [{ text: 'a' }, { text: 'b' }] },
    contents: [
      { role: 'user', parts: [{ text: 'c' }] },
      { role: 'user', parts: [{ text: 'd' }] },
    ],
  })
  expect(dropped).toEqual(['later system message'])
})

it('a message of which nothing can be said is left out; one without parts stays', () => {
  const file: Part = { type: 'media', mime: 'image/*', file: 'file-1' }
  expect(payload(file).contents).toEqual([])
  expect(payload().contents).toEqual([{ role: 'user', parts: [] }])
})

it('a document that is plain text goes as its bytes', () => {
  expect(payload({ type: 'media', mime: 'text/plain', text: 'é' }).contents).toEqual([
    { role: 'user', parts: [{ inlineData: { mimeType: 'text/plain', data: 'w6k=' } }] },
  ])
})

const signature = { dialect: 'anthropic', text: 's' } as const
it.each<[string, Part, string[]]>([
  ['fields of another dialect', { type: 'text', text: 'a', unknownFields: foreign }, ['odd']],
  ['a mark to cache', { type: 'text', text: 'a', cache: {} }, ['cache_control']],
  ['another vendor’s signature', { type: 'text', text: 'a', signature }, ['signature']],
  ['citations', { type: 'text', text: 'a', citations: [{ url: 'https://a' }] }, ['citations']],
  [
    'citations that came from this dialect',
    { type: 'text', text: 'a', citations: [{ raw: { dialect: 'gemini', value: {} } }] },
    [],
  ],
  ['how closely to look', image({ detail: 'low' }), ['detail']],
  ['what is said in a sound', image({ transcript: 'a' }), ['transcript']],
  ['fields of a picture', image({ unknownFields: foreign }), ['odd']],
  ['a thought of the user', { type: 'thinking', text: 'a' }, ['thinking']],
  ['a part of another dialect', opaque({ type: 'web_search_call' }), ['web_search_call']],
  ['a nameless part of another dialect', opaque({}), ['part']],
])('what has no place is noted: %s', (_, part, dropped) => {
  expect(payload(part).dropped).toEqual(dropped)
})

it('what has no place in a message, or in a call, is noted', () => {
  const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '{}', unknownFields: foreign }
  expect(write([{ role: 'assistant', parts: [call] }]).dropped).toEqual(['odd'])
  expect(write([{ role: 'user', parts: [], name: 'Ann', unknownFields: foreign }]).dropped).toEqual(
    ['odd', 'name'],
  )
})

function image(more: object): Part {
  return { type: 'media', mime: 'image/png', base64: 'AA==', ...more }
}
function opaque(value: object): Part {
  return { type: 'opaque', dialect: 'openai-responses', value }
}

it.each([
  ['a signed text', { text: 'a', thoughtSignature: 'c2ln' }],
  ['a text with fields of its own', { text: 'a', partMetadata: {} }],
])('to %s nothing is added', (_, first) => {
  const turns = [first, { text: 'b' }].map(part => ({ role: 'model', parts: [part] }))
  expect(read(turns)[0]?.parts).toMatchObject([text('a'), text('b')])
})

// "GenerateContentRequest.contents: contents is not specified" https://github.com/langchain-ai/langchain-google/pull/1298
it('a system message alone is a turn of the user, because the vendor refuses a prompt without turns', () => {
  const system: Message = { role: 'system', parts: [text('Say hello.')] }
  expect(write([system]).body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }],
  })
  expect(write([system, { role: 'user', parts: [text('Hi')] }]).contents).toHaveLength(1)
})
