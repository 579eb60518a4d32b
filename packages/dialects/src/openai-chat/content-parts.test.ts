import { expect, it } from 'vitest'
import type { Part } from '../canon.ts'
import { openaiChat } from './index.ts'

const dialectId = 'openai-chat'
/** Beside another one a part is written as a part. */
const beside = { type: 'text', text: 'beside' } as const
const read = (part: unknown) => {
  const messages = [{ role: 'user', content: [part, beside] }]
  const result = openaiChat.decodeRequest({ model: 'm', messages })
  if (!result.ok) throw new Error(result.hint)
  return result.request.messages[0]?.parts[0]
}
const write = (...parts: Part[]) => {
  const { body, warnings } = openaiChat.encodeRequest({
    model: 'm',
    messages: [{ role: 'user', parts }],
  })
  const [{ content }] = body.messages as [{ content: unknown }]
  return { content, dropped: warnings.map(each => each.dropped) }
}
const keeping = (fields: object) => ({ unknownFields: { dialect: dialectId, fields } })
const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const media = (mime: string, fields: object) => ({ type: 'media' as const, mime, ...fields })
const unknown = 'application/octet-stream'

// https://platform.openai.com/docs/api-reference/chat/create#chat_create-messages
it.each<[unknown, object]>([
  [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'a' },
  ],
  [
    { type: 'refusal', refusal: 'no' },
    { type: 'text', text: 'no', refusal: true },
  ],
  [image('https://media.example/a'), media('image/*', { url: 'https://media.example/a' })],
  [
    { type: 'image_url', image_url: { url: 'https://media.example/a', detail: 'low' } },
    media('image/*', { url: 'https://media.example/a', detail: 'low' }),
  ],
  [image('data:image/png;base64,AAAA'), media('image/png', { base64: 'AAAA' })],
  [image('data:text/plain,hi'), media('image/*', { url: 'data:text/plain,hi' })],
  [image('data:image/png;base64'), media('image/*', { url: 'data:image/png;base64' })],
  [
    { type: 'video_url', video_url: { url: 'https://media.example/v' } },
    media('video/*', { url: 'https://media.example/v' }),
  ],
  [
    { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } },
    media('video/mp4', { base64: 'AAAA' }),
  ],
  [
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    media('audio/wav', { base64: 'AAAA' }),
  ],
  [
    { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
    media('application/pdf', { base64: 'AAAA', name: 'a.pdf' }),
  ],
  [{ type: 'file', file: { file_id: 'file-1' } }, media(unknown, { file: 'file-1' })],
  [
    { type: 'file', file: { file_id: 'file-1', filename: 'a' } },
    media(unknown, { file: 'file-1', name: 'a' }),
  ],
  [
    { type: 'text', text: 'a', x: 1 },
    { type: 'text', text: 'a', ...keeping({ x: 1 }) },
  ],
  ...[{ type: 'x' }, { type: 'image_url' }, { type: 'file' }].map((value): [unknown, object] => [
    value,
    { type: 'opaque', dialect: dialectId, value },
  ]),
  ...[
    { type: 'image_url', image_url: { url: 5 } },
    { type: 'input_audio', input_audio: { format: 'wav' } },
    { type: 'file', file: { filename: 'a' } },
  ].map((value): [unknown, object] => [value, { type: 'opaque', dialect: dialectId, value }]),
])('%j goes and comes back as %j', (part, made) => {
  expect(read(part)).toEqual(made)
  expect(write(made as Part, beside)).toEqual({ content: [part, beside], dropped: [] })
})

it.each<[unknown, object]>([
  [
    { type: 'image_url', image_url: 'https://media.example/a' },
    media('image/*', { url: 'https://media.example/a' }),
  ],
  [image('data:;base64,AAAA'), media('image/*', { base64: 'AAAA' })],
  [{ type: 'video_url', video_url: 'data:;base64,AAAA' }, media('video/*', { base64: 'AAAA' })],
  [{ type: 'file', file: { file_data: 'AAAA' } }, media(unknown, { url: 'AAAA' })],
  [{ type: 'input_audio', input_audio: { data: 'AAAA' } }, media('audio/*', { base64: 'AAAA' })],
  [{ type: 'input_audio' }, { type: 'opaque', dialect: dialectId, value: { type: 'input_audio' } }],
  ['words', { type: 'opaque', dialect: dialectId, value: 'words' }],
  [null, { type: 'opaque', dialect: dialectId, value: null }],
  [
    { type: 'text', text: null },
    { type: 'text', text: '' },
  ],
  [{ type: 'text' }, { type: 'text', text: '' }],
  [
    { type: 'text', text: { a: 1 } },
    { type: 'text', text: '{"a":1}' },
  ],
  ...[
    [{ type: 'ephemeral' }, { cache: {} }],
    [{ type: 'ephemeral', ttl: '5m' }, { cache: { ttl: '5m' } }],
    [{ type: 'ephemeral', ttl: '1h' }, { cache: { ttl: '1h' } }],
    [{ type: 'ephemeral', ttl: '2h' }, { cache: {} }],
    [{ type: 'forever', ttl: '1h' }, {}],
  ].map(([mark, cache]): [unknown, object] => [
    { type: 'text', text: 'a', cache_control: mark },
    { type: 'text', text: 'a', ...cache, ...keeping({ cache_control: mark }) },
  ]),
])('%j is read as %j', (part, made) => {
  expect(read(part)).toEqual(made)
})

const foreign = { dialect: 'gemini', fields: { a: 1 } } as const

it.each<[Part, unknown, string[]]>([
  [media('text/plain', { text: 'words' }), { type: 'text', text: 'words' }, []],
  [media('text/plain', { text: 'words', name: 'T' }), { type: 'text', text: 'T\n\nwords' }, []],
  [media('image/png', { file: 'file-1' }), { type: 'file', file: { file_id: 'file-1' } }, []],
  [media('audio/wav', { file: 'file-1' }), { type: 'file', file: { file_id: 'file-1' } }, []],
  ...[
    ['audio/mpeg', 'mp3'],
    ['audio/x-wav', 'wav'],
    ['audio/wave', 'wav'],
    ['audio/ogg', 'ogg'],
  ].map(
    ([mime, format]) =>
      [
        media(mime!, { base64: 'AAAA' }),
        { type: 'input_audio', input_audio: { data: 'AAAA', format } },
        [],
      ] as [Part, unknown, string[]],
  ),
  [media('audio/wav', { url: 'https://a.example' }), undefined, ['media audio/wav']],
  [media('application/pdf', { url: 'https://a.example' }), undefined, ['media application/pdf']],
  [{ type: 'opaque', dialect: 'gemini', value: { type: 'x' } }, undefined, ['x']],
  [{ type: 'thinking', text: 'so' }, undefined, ['thinking']],
  [
    media('image/*', { url: 'u', unknownFields: foreign, cache: {} }),
    image('u'),
    ['a', 'cache_control'],
  ],
])('%j is written as %j, and %j is noted', (part, written, dropped) => {
  const content = written ? [written, beside] : [beside]
  expect(write(part, beside)).toEqual({ content, dropped })
})

it.each<[Part[], unknown, string[]]>([
  [[], '', []],
  [[{ type: 'thinking', text: 'so' }], '', ['thinking']],
  [[beside], 'beside', []],
  [[{ ...beside, unknownFields: foreign, cache: {} }], 'beside', ['a', 'cache_control']],
  [
    [{ ...beside, cache: {}, unknownFields: { dialect: dialectId, fields: { x: 1 } } }],
    [{ ...beside, x: 1 }],
    [],
  ],
  [[media('image/*', { url: 'u' })], [image('u')], []],
])('the content %j is a text where it can be: %j', (parts, content, dropped) => {
  expect(write(...parts)).toEqual({ content, dropped })
})
