import { expect, it } from 'vitest'
import type { ChatRequest, MediaPart, Message, Part, TextPart, UnknownFields } from '../../canon.ts'
import { openaiResponses } from '../index.ts'

// https://platform.openai.com/docs/api-reference/responses/create: `input`, `instructions`

const read = (body: object): Message[] => {
  const result = openaiResponses.decodeRequest({ model: 'm', ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request.messages
}
const write = (messages: Message[], more: Partial<ChatRequest> = {}): Record<string, unknown> => {
  const { body, warnings } = openaiResponses.encodeRequest({ model: 'm', messages, ...more })
  const { model, tools, ...result } = body
  return { ...result, dropped: warnings.map(each => each.dropped) }
}
const own = (fields: Record<string, unknown>): { unknownFields: UnknownFields } => ({
  unknownFields: { dialect: 'openai-responses', fields },
})
const strange: { unknownFields: UnknownFields } = {
  unknownFields: { dialect: 'anthropic', fields: { eager: true } },
}
const opaque = (value: unknown): Part => ({ type: 'opaque', dialect: 'openai-responses', value })
const text = (words: string): TextPart => ({ type: 'text', text: words })
const inputText = (words: string) => ({ type: 'input_text', text: words })
const message = (role: string, ...content: unknown[]) => ({ type: 'message', role, content })

it('a conversation is read turn by turn, and written as it stood', () => {
  const input = [
    message('developer', inputText('d')),
    message('user', inputText('a')),
    message('user', inputText('b')),
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'x' },
    { type: 'function_call_output', call_id: 'c1', output: 'one' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: [inputText('a'), inputText('b')] },
    { type: 'web_search_call', id: 'ws_1' },
    {
      ...message('assistant', { type: 'output_text', annotations: [], logprobs: [], text: 'c' }),
      id: 'msg_0',
    },
    { ...message('user', inputText('thanks')), id: 'msg_1', status: 'completed' },
  ]
  const messages: Message[] = [
    { role: 'system', parts: [text('Be brief.')] },
    { role: 'developer', parts: [text('d')] },
    { role: 'user', parts: [text('a')] },
    { role: 'user', parts: [text('b')] },
    {
      role: 'assistant',
      parts: [
        { type: 'tool-call', id: 'c1', name: 'f', input: '{}' },
        { type: 'tool-call', id: 'c2', name: 'g', input: 'x', custom: true },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'tool-result', id: 'c1', parts: [text('one')] },
        { type: 'tool-result', id: 'c2', parts: [text('a'), text('b')], custom: true },
      ],
    },
    {
      role: 'assistant',
      parts: [
        opaque({ type: 'web_search_call', id: 'ws_1' }),
        { ...text('c'), ...own({ item: { id: 'msg_0' } }) },
      ],
    },
    {
      role: 'user',
      parts: [text('thanks')],
      ...own({ id: 'msg_1', status: 'completed' }),
    },
  ]
  expect(read({ instructions: 'Be brief.', input })).toStrictEqual(messages)
  expect(write(messages)).toStrictEqual({ instructions: 'Be brief.', input, dropped: [] })
})

it('short forms are read', () => {
  const expectTexts = (content: unknown, more: object = {}) =>
    read({ input: [{ content, ...more }] })[0]
  expect(read({ input: null })).toStrictEqual([])
  expect(expectTexts('hi', { role: 'user' })).toStrictEqual({ role: 'user', parts: [text('hi')] })
  expect(expectTexts('hi', { role: 'critic' })).toStrictEqual({ role: 'user', parts: [text('hi')] })
  expect(expectTexts('hi', { role: 'system', id: 's' })).toStrictEqual({
    role: 'system',
    parts: [text('hi')],
    ...own({ id: 's' }),
  })
  expect(expectTexts(7, { role: 'user' })).toStrictEqual({ role: 'user', parts: [] })
  expect(expectTexts('hi', { type: 'message' })).toStrictEqual({
    role: 'user',
    parts: [text('hi')],
  })
  expect(read({ input: [{ id: 'x' }] })).toEqual([
    { role: 'assistant', parts: [opaque({ id: 'x' })] },
  ])
  expect(read({ input: [{ type: 'function_call_output' }] })).toStrictEqual([
    { role: 'tool', parts: [{ type: 'tool-result', id: '', parts: [] }] },
  ])
})

it('what stood in the input does not become the instructions', () => {
  const input = [message('system', inputText('a')), message('system', inputText('b'))]
  const [first, second] = read({ input })
  expect([first?.unknownFields, second?.unknownFields]).toStrictEqual([
    own({ type: 'message' }).unknownFields,
    undefined,
  ])
  expect(write(read({ input }))).toStrictEqual({ input, dropped: [] })
  expect(read({ input: [message('user', inputText('a'))] })[0]).not.toHaveProperty('unknownFields')
  const list = [message('developer', inputText('from a prompt that is kept'))]
  expect(read({ instructions: list, input: 'hi' })[0]).toStrictEqual({
    role: 'system',
    parts: [opaque(list)],
  })
  expect(write(read({ instructions: list })).instructions).toStrictEqual(list)
})

it.each<[string, Message, unknown, string[]]>([
  ['a developer', { role: 'developer', parts: [text('a')] }, ['developer', inputText('a')], []],
  [
    'two texts',
    { role: 'system', parts: [text('a'), text('b')] },
    ['system', inputText('a'), inputText('b')],
    [],
  ],
  [
    'a picture',
    { role: 'system', parts: [{ type: 'media', mime: 'image/*', url: 'https://a' }] },
    ['system', { type: 'input_image', image_url: 'https://a' }],
    [],
  ],
  [
    'a text with more',
    { role: 'system', parts: [{ ...text('a'), ...own({ odd: 1 }) }] },
    ['system', { ...inputText('a'), odd: 1 }],
    [],
  ],
  [
    'a text to be remembered',
    { role: 'system', parts: [{ ...text('a'), cache: {} }] },
    ['system', inputText('a')],
    ['cache_control'],
  ],
  [
    'someone with a name',
    { role: 'system', parts: [text('a')], name: 'x' },
    ['system', inputText('a')],
    ['name'],
  ],
  [
    'foreign fields',
    { role: 'system', parts: [{ ...text('a'), ...strange }], ...strange },
    ['system', inputText('a')],
    ['eager'],
  ],
  ['nothing', { role: 'system', parts: [] }, ['system'], []],
  [
    'a block of its own from a user',
    { role: 'user', parts: [opaque({ type: 'new' })] },
    ['user', { type: 'new' }],
    [],
  ],
  [
    'a block of another dialect',
    { role: 'system', parts: [{ type: 'opaque', dialect: 'gemini', value: { type: 'new' } }] },
    ['system'],
    ['new'],
  ],
  [
    'a thought of a user',
    { role: 'user', parts: [{ type: 'thinking', text: 'a' }, text('b')] },
    ['user', inputText('b')],
    ['thinking'],
  ],
])('%s that comes first is a message, and no instructions', (_, first, given, dropped) => {
  const [role, ...content] = given as [string, ...unknown[]]
  expect(write([first])).toStrictEqual({ input: [message(role, ...content)], dropped })
})

it('only the first message can be the instructions', () => {
  const [user, system]: Message[] = [
    { role: 'user', parts: [text('a')] },
    { role: 'system', parts: [text('b')] },
  ]
  expect(write([user!, system!])).toStrictEqual({
    input: [message('user', inputText('a')), message('system', inputText('b'))],
    dropped: [],
  })
  expect(write([])).toStrictEqual({ input: [], dropped: [] })
})

it('what a user says beside the results of tools stands behind them', () => {
  const result: Part = { type: 'tool-result', id: 'c', parts: [text('a')] }
  const output = { type: 'function_call_output', call_id: 'c', output: 'a' }
  for (const role of ['user', 'tool'] as const) {
    expect(write([{ role, parts: [text('b'), result] }]).input).toStrictEqual([
      output,
      message('user', inputText('b')),
    ])
    expect(write([{ role, parts: [result] }]).input).toStrictEqual([output])
  }
})

it.each<[object, unknown, string[]]>([
  [{ parts: [text('a')] }, 'a', []],
  [{ parts: [text('a')], failed: true }, 'a', ['is_error']],
  [{ parts: [text('a')], ...strange }, 'a', ['eager']],
  [{ parts: [{ ...text('a'), ...own({ odd: 1 }) }] }, [{ ...inputText('a'), odd: 1 }], []],
  [{ parts: [text('a'), text('b')] }, [inputText('a'), inputText('b')], []],
  [
    {
      parts: [
        { type: 'media', mime: 'image/png', base64: 'AAAA' },
        { type: 'thinking', text: '' },
      ],
    },
    [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    ['thinking'],
  ],
  [{ parts: [] }, [], []],
])('what a tool answered, %j, is written as %j', (result, output, dropped) => {
  const part = { type: 'tool-result', id: 'c', ...result } as Part
  expect(write([{ role: 'tool', parts: [part] }])).toStrictEqual({
    input: [{ type: 'function_call_output', call_id: 'c', output }],
    dropped,
  })
})

it('fields of a result that only this dialect has are kept', () => {
  const output = { type: 'function_call_output', call_id: 'c', output: 'a', status: 'completed' }
  expect(write(read({ input: [output] })).input).toStrictEqual([output])
})

const image = { type: 'input_image' }
const file = { type: 'input_file' }
const png: MediaPart = { type: 'media', mime: 'image/png', base64: 'AAAA' }
const pdf: MediaPart = { type: 'media', mime: 'application/pdf', base64: 'AAAA' }
const bytes: MediaPart = { type: 'media', mime: 'application/octet-stream' }

it.each<[object, Part]>([
  [{ ...image, image_url: 'data:image/png;base64,AAAA' }, png],
  [
    { ...image, image_url: 'https://a.example/x', detail: 'low', odd: 1 },
    {
      type: 'media',
      mime: 'image/*',
      url: 'https://a.example/x',
      detail: 'low',
      ...own({ odd: 1 }),
    },
  ],
  [
    { ...image, file_id: 'f' },
    { type: 'media', mime: 'image/*', file: 'f' },
  ],
  [
    {
      ...file,
      file_data: 'data:application/pdf;base64,AAAA',
      filename: 'n',
      detail: 'high',
      odd: 1,
    },
    { ...pdf, name: 'n', detail: 'high', ...own({ odd: 1 }) },
  ],
  [
    { ...file, file_url: 'https://a.example/x.pdf' },
    { type: 'media', mime: 'application/pdf', url: 'https://a.example/x.pdf' },
  ],
  [
    { ...file, file_id: 'f' },
    { ...bytes, file: 'f' },
  ],
  [
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3', odd: 1 } },
    { type: 'media', mime: 'audio/mp3', base64: 'AAAA', ...own({ odd: 1 }) },
  ],
  [{ type: 'new', of: 1 }, opaque({ type: 'new', of: 1 })],
  [{ type: 'input_text', text: 7 }, opaque({ type: 'input_text', text: 7 })],
  [{ type: 'output_text', text: null }, opaque({ type: 'output_text', text: null })],
  [{ type: 'input_audio', input_audio: {} }, opaque({ type: 'input_audio', input_audio: {} })],
  [{ type: 'input_audio' }, opaque({ type: 'input_audio' })],
])('%j is read, and written as it stood', (wire, part) => {
  expect(read({ input: [message('user', wire)] })[0]?.parts).toStrictEqual([part])
  expect(write([{ role: 'user', parts: [part] }])).toStrictEqual({
    input: [message('user', wire)],
    dropped: [],
  })
})

it.each<[unknown, Part]>([
  [
    { ...image, image_url: 'data:;base64,AAAA' },
    { ...png, mime: 'image/*' },
  ],
  [{ ...image, image_url: 'data:image/png;name=x;base64,AAAA' }, png],
  [
    { ...image, image_url: 'AAAA' },
    { ...png, mime: 'image/*' },
  ],
  [
    { ...image, image_url: null, file_id: null, detail: null },
    { type: 'media', mime: 'image/*' },
  ],
  [
    { ...file, file_data: 'AAAA', filename: null, detail: null },
    { ...bytes, base64: 'AAAA' },
  ],
  [{ ...file, file_data: 'AAAA', file_url: 'https://a.example/x.pdf' }, pdf],
  [
    { ...file, file_data: 'see https://a.example/x.pdf' },
    { ...bytes, base64: 'see https://a.example/x.pdf' },
  ],
  [
    { type: 'input_audio', input_audio: { data: 'AAAA' } },
    { type: 'media', mime: 'audio/wav', base64: 'AAAA' },
  ],
  [{ type: 'output_text', text: 'a' }, text('a')],
  [null, opaque(null)],
])('%j is taken as what it can be', (wire, part) => {
  expect(read({ input: [message('user', wire)] })[0]?.parts).toStrictEqual([part])
})

it.each<[Omit<MediaPart, 'type'>, object[], string[]]>([
  [
    { mime: 'image/svg+xml', text: '<a/>' },
    [{ ...image, image_url: 'data:image/svg+xml;base64,PGEvPg==' }],
    [],
  ],
  [
    { mime: 'text/plain', text: 'é', name: 'a.txt' },
    [{ ...file, file_data: 'data:text/plain;base64,w6k=', filename: 'a.txt' }],
    [],
  ],
  [
    { mime: 'application/pdf', base64: 'AAAA', ...strange },
    [{ ...file, file_data: 'data:application/pdf;base64,AAAA', filename: 'file' }],
    ['eager'],
  ],
  [
    { mime: 'application/pdf', url: 'https://a.example/x', cache: {} },
    [{ ...file, file_url: 'https://a.example/x' }],
    ['cache_control'],
  ],
  [
    { mime: 'application/pdf', file: 'f', name: 'n' },
    [{ ...file, file_id: 'f', filename: 'n' }],
    [],
  ],
  [{ mime: 'audio/wav', url: 'https://a.example/x' }, [], ['audio']],
  [{ mime: 'audio/*', file: 'f' }, [], ['audio']],
  [{ mime: 'video/mp4', base64: 'AAAA' }, [], ['video']],
  [{ mime: 'video/mp4', url: 'https://a.example/x' }, [], ['video']],
])('a medium of another dialect, %j, is told as %j', (medium, content, dropped) => {
  expect(write([{ role: 'user', parts: [{ type: 'media', ...medium }] }])).toStrictEqual({
    input: [message('user', ...content)],
    dropped,
  })
})

it('calls of a custom tool in a history of another dialect are told as such', () => {
  const call: Part = { type: 'tool-call', id: 'c', name: 'patch', input: '{"input":"*"}' }
  const written = write([{ role: 'assistant', parts: [call], name: 'x', ...strange }], {
    tools: [
      { type: 'custom', name: 'patch' },
      { type: 'function', name: 'f' },
    ],
  })
  expect(written).toStrictEqual({
    input: [{ type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*' }],
    dropped: ['name', 'eager'],
  })
  const plain: Part = { ...call, name: 'f' }
  expect(
    write([{ role: 'assistant', parts: [plain] }], { tools: [{ type: 'function', name: 'f' }] }),
  ).toMatchObject({ input: [{ type: 'function_call', arguments: '{"input":"*"}' }] })
})
