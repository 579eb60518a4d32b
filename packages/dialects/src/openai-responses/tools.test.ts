import { expect, it } from 'vitest'
import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from '../canon.ts'
import { openaiResponses } from './index.ts'

// https://platform.openai.com/docs/api-reference/responses/create: `tools`, `tool_choice`, `text.format`

const read = (body: object): ChatRequest => {
  const result = openaiResponses.decodeRequest({ model: 'm', ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (request: Partial<ChatRequest>) => {
  const { body, warnings } = openaiResponses.encodeRequest({ model: 'm', messages: [], ...request })
  return { body, dropped: warnings.map(each => each.dropped) }
}
const own = (fields: Record<string, unknown>) =>
  ({ unknownFields: { dialect: 'openai-responses', fields } }) as const
const opaque = (value: unknown) => ({ type: 'opaque', dialect: 'openai-responses', value }) as const
const foreign = (value: unknown) => ({ type: 'opaque', dialect: 'anthropic', value }) as const
const strange = { unknownFields: { dialect: 'anthropic', fields: { eager: true } } } as const

const schema = { type: 'object', properties: { a: { type: 'string' } } }

it.each<[object, Tool]>([
  [
    { type: 'function', name: 'f', description: 'd', parameters: schema, strict: true, odd: 1 },
    { type: 'function', name: 'f', description: 'd', schema, strict: true, ...own({ odd: 1 }) },
  ],
  [
    { type: 'function', name: 'f', description: null, parameters: schema, strict: null },
    { type: 'function', name: 'f', schema, ...own({ strict: null, description: null }) },
  ],
  [
    { type: 'custom', name: 'c', description: 'd', format: { type: 'text' }, odd: 1 },
    { type: 'custom', name: 'c', description: 'd', format: { type: 'text' }, ...own({ odd: 1 }) },
  ],
  [
    { type: 'custom', name: 'c' },
    { type: 'custom', name: 'c' },
  ],
  [{ type: 'web_search' }, opaque({ type: 'web_search' })],
  [{ type: 'mcp', name: 'x' }, opaque({ type: 'mcp', name: 'x' })],
])('the tool %j is read, and written as it stood', (wire, tool) => {
  expect(read({ tools: [wire] }).tools).toStrictEqual([tool])
  expect(write({ tools: [tool] })).toStrictEqual({
    body: { model: 'm', input: [], tools: [wire] },
    dropped: [],
  })
})

it('a function without a word on strictness is strict, and stays so', () => {
  for (const parameters of [null, undefined])
    expect(read({ tools: [{ type: 'function', name: 'f', parameters }] }).tools).toStrictEqual([
      { type: 'function', name: 'f', ...own({ strict: null }) },
    ])
  expect(read({ tools: [null] }).tools).toStrictEqual([opaque(null)])
})

it.each<[Tool, object[], string[]]>([
  [
    { type: 'function', name: 'f', cache: {}, ...strange },
    [
      {
        type: 'function',
        name: 'f',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    ['eager', 'cache_control'],
  ],
  [foreign({ type: 'computer_use', name: 'c' }), [], ['computer_use']],
  [foreign({ name: 'bash' }), [], ['bash']],
  [foreign({ googleSearch: {} }), [], ['googleSearch']],
  [foreign({}), [], ['tools']],
  [foreign(null), [], ['tools']],
])('of the tool %j of another dialect goes on what is known here', (tool, tools, dropped) => {
  const written = write({ tools: [tool] })
  expect([written.body.tools, written.dropped]).toStrictEqual([tools, dropped])
})

const allowed = (mode: string, ...tools: unknown[]) => ({ type: 'allowed_tools', mode, tools })
const f = { type: 'function', name: 'f' }

it.each<[unknown, ToolChoice]>([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['required', { type: 'required' }],
  [f, { type: 'tool', name: 'f' }],
  [
    { type: 'custom', name: 'c' },
    { type: 'tool', name: 'c', custom: true },
  ],
  [allowed('auto', f), { type: 'allowed', mode: 'auto', names: ['f'] }],
  [allowed('required', f, f), { type: 'allowed', mode: 'required', names: ['f', 'f'] }],
  ...[
    { type: 'web_search' },
    { type: 'function' },
    { type: 'custom' },
    { type: 'mcp', name: 'x' },
    allowed('auto', f, { type: 'custom', name: 'c' }),
    allowed('auto', { type: 'function' }, f),
    allowed('auto', null),
    allowed('sometimes', f),
    { ...allowed('auto', f), type: 'other_tools' },
    { type: 'allowed_tools', mode: 'auto', tools: {} },
    'often',
  ].map((odd): [unknown, ToolChoice] => [odd, opaque(odd)]),
])('the choice %j is read, and written as it stood', (wire, choice) => {
  expect(read({ tool_choice: wire }).toolChoice).toStrictEqual(choice)
  expect(write({ toolChoice: choice })).toStrictEqual({
    body: { model: 'm', input: [], tool_choice: wire },
    dropped: [],
  })
})

it('a choice that only another dialect has is noted', () => {
  expect(write({ toolChoice: foreign({ type: 'x' }) })).toStrictEqual({
    body: { model: 'm', input: [] },
    dropped: ['tool_choice'],
  })
})

it.each<[object, ResponseFormat]>([
  [{ type: 'text' }, { type: 'text' }],
  [{ type: 'json_object' }, { type: 'json' }],
  [
    { type: 'json_schema', name: 'n', schema, description: 'd', strict: false, odd: 1 },
    {
      type: 'schema',
      schema,
      name: 'n',
      description: 'd',
      strict: false,
      ...own({ odd: 1 }),
    },
  ],
  [
    { type: 'json_schema', name: 'n', schema, strict: null },
    { type: 'schema', schema, name: 'n', ...own({ strict: null }) },
  ],
])('the format %j is read, and written as it stood', (wire, format) => {
  expect(read({ text: { format: wire } }).format).toStrictEqual(format)
  expect(write({ format })).toStrictEqual({
    body: { model: 'm', input: [], text: { format: wire } },
    dropped: [],
  })
})

it('a schema has a name here, and what only another dialect says of it is noted', () => {
  expect(read({ text: { format: { type: 'json_schema', schema } } }).format).toStrictEqual({
    type: 'schema',
    schema,
  })
  const { body, dropped } = write({ format: { type: 'schema', schema, ...strange } })
  expect([body.text, dropped]).toStrictEqual([
    { format: { type: 'json_schema', name: 'answer', schema } },
    ['eager'],
  ])
})
