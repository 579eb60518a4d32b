import { expect, it } from 'vitest'
import type { CacheControl, MediaPart, Part } from '../canon.ts'
import type { Json } from '../json/json.ts'
import { converse } from './index.ts'

/** The blocks of one turn in a request to a model that remembers no prompts, and what could not be said. */
const written = (parts: Part[], model = 'meta.llama3-x') => {
  const messages = [{ role: 'user' as const, parts }]
  const { body, warnings } = converse.encodeRequest({ model, messages })
  return [(body as Json).messages[0]?.content ?? [], warnings.map(each => each.dropped)]
}
const read = (block: unknown) =>
  converse.decodeAnswer({ output: { message: { content: [block] } } }).choices[0]!.parts[0]

const call = { type: 'tool-call', id: 'c', name: 'f' } as const
const used = (input: unknown) => ({ toolUse: { toolUseId: 'c', name: 'f', input } })
const citation = { title: 't', source: 'https://a.example' }
const raw = { dialect: 'converse' as const, value: citation }
const foreign = { dialect: 'anthropic' as const, value: {} }
const signature = { dialect: 'anthropic' as const, text: 'x' }
const result = (parts: Part[]): Part => ({ type: 'tool-result', id: 'c', parts })
const sound: Part = { type: 'media', mime: 'audio/mpeg', base64: 'AAAA' }
const film: Part = { type: 'media', mime: 'video/mp4', base64: 'AAAA' }
const paper: Part = { type: 'media', mime: 'text/csv', base64: 'AAAA', name: 'a' }
const cited: Part = { type: 'text', text: 'a', citations: [{ raw }] }

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
it.each<[string, Part, unknown[], string[]]>([
  ['a text', { type: 'text', text: 'a' }, [{ text: 'a' }], []],
  ['no text', { type: 'text', text: '' }, [], []],
  ['a blank one, which is refused', { type: 'text', text: ' \n' }, [], ['blank text']],
  ['a proof of a text', { type: 'text', text: 'a', signature }, [{ text: 'a' }], ['text.proof']],
  [
    'fields of another dialect',
    { type: 'text', text: 'a', unknownFields: { dialect: 'gemini', fields: { b: 1 } } },
    [{ text: 'a' }],
    ['b'],
  ],
  [
    'citations of its own',
    cited,
    [{ citationsContent: { content: [{ text: 'a' }], citations: [citation] } }],
    [],
  ],
  [
    'citations of others among them',
    { type: 'text', text: 'a', citations: [{ raw }, { raw: foreign }, { url: 'u' }] },
    [{ citationsContent: { content: [{ text: 'a' }], citations: [citation] } }],
    ['citations'],
  ],
  [
    'citations of others only',
    { type: 'text', text: 'a', citations: [{ raw: foreign }] },
    [{ text: 'a' }],
    ['citations'],
  ],
  ['no citations', { type: 'text', text: 'a', citations: [] }, [{ text: 'a' }], []],
  ['a call', { ...call, input: '{"a":1}' }, [used({ a: 1 })], []],
  ['a call without input', { ...call, input: '' }, [used({})], []],
  ['a call with a list', { ...call, input: '[1]' }, [used({ input: [1] })], []],
  ['a call with nothing', { ...call, input: 'null' }, [used({ input: null })], []],
  ['a call with a number', { ...call, input: '7' }, [used({ input: 7 })], []],
  ['a call that is no JSON', { ...call, input: '{"a' }, [used({ input: '{"a' })], []],
  ['a call with a text', { ...call, input: '{}', custom: true }, [used({ input: '{}' })], []],
  ['a proof of a call', { ...call, input: '{}', signature }, [used({})], ['tool-call.proof']],
  [
    'what only another dialect has',
    {
      type: 'opaque',
      dialect: 'anthropic',
      value: { type: 'container' },
      unknownFields: { dialect: 'gemini', fields: { b: 1 } },
    },
    [],
    ['container'],
  ],
  ['what has no name', { type: 'opaque', dialect: 'anthropic', value: null }, [], ['opaque']],
  ['a mark', { type: 'text', text: 'a', cache: {} }, [{ text: 'a' }], ['cache marks']],
  ['a mark on nothing', { type: 'text', text: '', cache: {} }, [], []],
  [
    'a result with all that one may have',
    result([film, paper, { type: 'text', text: 'a' }]),
    [
      {
        toolResult: {
          toolUseId: 'c',
          content: [
            { video: { format: 'mp4', source: { bytes: 'AAAA' } } },
            { document: { format: 'csv', name: 'a', source: { bytes: 'AAAA' } } },
            { text: 'a' },
          ],
        },
      },
    ],
    [],
  ],
  [
    'a result with what none may have',
    result([sound, cited]),
    [{ toolResult: { toolUseId: 'c', content: [{ json: {} }] } }],
    ['tool-result content'],
  ],
])('%s is written', (_title, part, blocks, warnings) =>
  expect(written([part])).toEqual([blocks, warnings]),
)

it('marks have no place in a result, wherever the model remembers', () => {
  const cache: CacheControl = { ttl: '1h' }
  const part: Part = { ...result([{ type: 'text', text: 'a', cache }]), cache }
  expect(written([part], 'amazon.nova-pro-v1:0')).toEqual([
    [
      { toolResult: { toolUseId: 'c', content: [{ text: 'a' }] } },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ],
    ['cache marks'],
  ])
})

const by = 'converse' as const
const opaque = (value: unknown) => ({ type: 'opaque', dialect: by, value })
const server = { toolUse: { toolUseId: 'c', name: 'f', type: 'server_tool_use', input: {} } }

it.each<[unknown, unknown]>([
  [{ text: 'a' }, { type: 'text', text: 'a' }],
  [{ text: '' }, { type: 'text', text: '' }],
  [used({ a: 1 }), { ...call, input: '{"a":1}' }],
  [used(null), { ...call, input: '' }],
  [{ toolUse: {} }, { type: 'tool-call', id: '', name: '', input: '' }],
  [server, opaque(server)],
  [{ reasoningContent: { reasoningText: { text: 'a' } } }, { type: 'thinking', text: 'a' }],
  [
    { reasoningContent: { reasoningText: { signature: 's' } } },
    { type: 'thinking', text: '', signature: { dialect: by, text: 's' } },
  ],
  [
    { reasoningContent: { redactedContent: 's' } },
    { type: 'thinking', text: '', redacted: true, signature: { dialect: by, text: 's' } },
  ],
  [{ reasoningContent: {} }, opaque({ reasoningContent: {} })],
  [
    { reasoningContent: { reasoningText: null } },
    opaque({ reasoningContent: { reasoningText: null } }),
  ],
  [
    { citationsContent: { content: [{ text: 'a' }, {}, { text: 'b' }], citations: [] } },
    { type: 'text', text: 'ab' },
  ],
  [{ guardContent: {} }, opaque({ guardContent: {} })],
  [null, opaque(null)],
])('%j is read', (block, part) => expect(read(block)).toEqual(part))

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html
it.each<[unknown, object]>([
  [
    { title: 't', source: 'https://a.example', location: { web: { url: 'https://b.example' } } },
    { url: 'https://b.example', title: 't' },
  ],
  [{ source: 'http://a.example' }, { url: 'http://a.example' }],
  [{ source: 'a file', sourceContent: [{ text: 'a' }, null, { text: 'b' }] }, { quote: 'ab' }],
  [{ source: 7, location: { web: {} }, title: null }, {}],
  [null, {}],
])('the citation %j has what it says of its source', (value, payload) => {
  const block = { citationsContent: { content: [{ text: 'a' }], citations: [value] } }
  const citations = [{ ...payload, raw: { dialect: by, value } }]
  expect(read(block)).toEqual({ type: 'text', text: 'a', citations })
})

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html, and its neighbours.
const formats: [kind: string, mimes: Record<string, string>][] = [
  ['image', { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' }],
  [
    'document',
    {
      pdf: 'application/pdf',
      csv: 'text/csv',
      doc: 'application/msword',
      docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      xls: 'application/vnd.ms-excel',
      xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      html: 'text/html',
      txt: 'text/plain',
      md: 'text/markdown',
    },
  ],
  [
    'video',
    {
      mp4: 'video/mp4',
      mov: 'video/quicktime',
      mkv: 'video/x-matroska',
      webm: 'video/webm',
      flv: 'video/x-flv',
      mpeg: 'video/mpeg',
      wmv: 'video/x-ms-wmv',
      three_gp: 'video/3gpp',
    },
  ],
  [
    'audio',
    {
      wav: 'audio/wav',
      mp3: 'audio/mpeg',
      aac: 'audio/aac',
      flac: 'audio/flac',
      ogg: 'audio/ogg',
      opus: 'audio/opus',
      m4a: 'audio/mp4',
      webm: 'audio/webm',
    },
  ],
]

it.each(formats)('each format of %s is called as the vendor calls it, both ways', (kind, mimes) => {
  for (const [format, mime] of Object.entries(mimes)) {
    const named = kind === 'document' ? { name: 'a' } : {}
    const part: Part = { type: 'media', mime, base64: 'AAAA', ...named }
    const block = { [kind]: { format, ...named, source: { bytes: 'AAAA' } } }
    expect([written([part]), read(block)]).toEqual([[[block], []], part])
  }
})

it.each([
  ['image/jpg', 'image', 'jpeg'],
  ['audio/x-wav', 'audio', 'wav'],
  ['audio/mp3', 'audio', 'mp3'],
])('%s is another name for one of them', (mime, kind, format) =>
  expect(written([{ type: 'media', mime, base64: 'AAAA' }])).toEqual([
    [{ [kind]: { format, source: { bytes: 'AAAA' } } }],
    [],
  ]),
)

const stored = { s3Location: { uri: 's3://b/a' } }
const source = { bytes: 'AAAA' }
const document = (name: string, format = 'txt') => ({ document: { format, name, source } })
it.each<[Omit<MediaPart, 'type'>, unknown[], string[]]>([
  [{ mime: 'image/png', url: 's3://b/a' }, [{ image: { format: 'png', source: stored } }], []],
  // Bytes go before a place.
  [
    { mime: 'image/png', url: 's3://b/a', base64: 'AAAA' },
    [{ image: { format: 'png', source } }],
    [],
  ],
  [{ mime: 'image/png', file: 'f' }, [], ['media image/png that must be fetched']],
  [{ mime: 'x/y', url: 's3://b/a' }, [], ['media x/y that must be fetched']],
  [{ mime: 'x/y', base64: 'AAAA' }, [], ['media x/y']],
  [{ mime: 'x/y', text: '\0\0\0' }, [document('document')], []],
  [{ mime: 'text/x-c', base64: 'AAAA' }, [document('document')], []],
  [{ mime: 'text/csv', text: '' }, [], ['media text/csv that must be fetched']],
  [{ mime: 'text/plain', base64: 'AAAA', name: ' a__b.(c)[d]-9 ' }, [document('a b (c)[d]-9')], []],
  [{ mime: 'text/plain', base64: 'AAAA', name: '世界' }, [document('document')], []],
  [{ mime: 'text/plain', base64: 'AAAA', name: 'n'.repeat(200) }, [document('n'.repeat(180))], []],
  [
    { mime: 'image/png', base64: 'AAAA', detail: 'high' },
    [{ image: { format: 'png', source } }],
    ['image detail'],
  ],
  [
    { mime: 'image/png', base64: 'AAAA', detail: 'auto' },
    [{ image: { format: 'png', source } }],
    [],
  ],
])('%j is written', (media, blocks, warnings) =>
  expect(written([{ type: 'media', ...media }])).toEqual([blocks, warnings]),
)

it('a third document of one name is the third', () => {
  const part: Part = { type: 'media', mime: 'text/plain', base64: 'AAAA', name: 'a' }
  expect(written([part, part, part])).toEqual([
    [document('a'), document('a 2'), document('a 3')],
    [],
  ])
})

it.each<[unknown, object]>([
  [{ image: { format: 'png', source: stored } }, { mime: 'image/png', url: 's3://b/a' }],
  [{ image: { format: 'tiff', source } }, { mime: 'image/*', base64: 'AAAA' }],
  [{ audio: { source } }, { mime: 'audio/*', base64: 'AAAA' }],
  [
    { document: { format: 'x', name: 'n', source: { text: 't' } } },
    { mime: 'application/octet-stream', text: 't', name: 'n' },
  ],
  [{ document: { format: 'md', source: stored } }, { mime: 'text/markdown', url: 's3://b/a' }],
])('%j is read as what it is', (block, media) =>
  expect(read(block)).toEqual({ type: 'media', ...media }),
)

it.each([
  { image: { format: 'png', source: {} } },
  { image: null },
  { video: { format: 'mp4', source: { s3Location: {} } } },
  { image: 'x' },
])('%j, which has neither bytes nor a place, goes on as it is', block =>
  expect(read(block)).toEqual(opaque(block)),
)
