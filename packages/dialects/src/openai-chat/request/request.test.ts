import { expect, it } from 'vitest'
import type { ChatRequest } from '../../canon.ts'
import type { EncodeRequestOptions } from '../../dialect.ts'
import { openaiChat } from '../index.ts'

const dialectId = 'openai-chat'
const messages = [{ role: 'user', content: 'hi' }]
/** Decodes a body and returns the request without model and messages. */
const read = (body: object) => {
  const result = openaiChat.decodeRequest({ model: 'm', messages, ...body })
  if (!result.ok) throw new Error(result.hint)
  const { model: _, messages: __, ...rest } = result.request
  return rest
}
const write = (request: Partial<ChatRequest>, aim?: EncodeRequestOptions) => {
  const whole = { model: 'm', messages: [], ...request }
  const { body, warnings } = openaiChat.encodeRequest(whole, aim)
  const { model: _, messages: __, ...rest } = body
  return { body: rest, dropped: warnings.map(each => each.dropped) }
}
const keeping = (fields: object) => ({ unknownFields: { dialect: dialectId, fields } })
const schema = { type: 'object', properties: {} }
const f = { type: 'function', function: { name: 'f' } }
const made = { type: 'function', name: 'f' }

// https://platform.openai.com/docs/api-reference/chat/create
it.each<[object, object]>([
  [{ temperature: 0.5 }, { temperature: 0.5 }],
  [{ top_p: 0.5 }, { topP: 0.5 }],
  [{ seed: 1 }, { seed: 1 }],
  [{ n: 2 }, { n: 2 }],
  [{ presence_penalty: 1 }, { presencePenalty: 1 }],
  [{ frequency_penalty: 1 }, { frequencyPenalty: 1 }],
  [{ parallel_tool_calls: false }, { parallelTools: false }],
  [{ stream: false }, { stream: false }],
  [{ store: false }, { store: false }],
  [{ verbosity: 'low' }, { verbosity: 'low' }],
  [{ safety_identifier: 's' }, { safetyId: 's' }],
  [{ prompt_cache_key: 'k' }, { cacheKey: 'k' }],
  [{ prompt_cache_retention: '24h' }, { cacheRetention: '24h' }],
  [{ modalities: ['text', 'audio'] }, { modalities: ['text', 'audio'] }],
  [{ audio: { voice: 'v', format: 'mp3' } }, { audio: { voice: 'v', format: 'mp3' } }],
  [{ metadata: { a: 'b' } }, { metadata: { a: 'b' } }],
  [{ user: 'u' }, { user: 'u' }],
  [{ service_tier: 'flex' }, { tier: 'flex' }],
  [{ stop: ['a', 'b'] }, { stop: ['a', 'b'] }],
  [{ max_tokens: 5 }, { outputMax: 5 }],
  [
    { max_tokens: 5, max_completion_tokens: 9 },
    { outputMax: 9, ...keeping({ max_tokens: 5 }) },
  ],
  [{ logprobs: true }, { logprobs: {} }],
  [{ logprobs: true, top_logprobs: 2 }, { logprobs: { top: 2 } }],
  [{ logit_bias: { 1: 1 } }, keeping({ logit_bias: { 1: 1 } })],
  [{ top_k: 5 }, { topK: 5, ...keeping({ top_k: 5 }) }],
  [
    { max_tokens: 5, x: 1 },
    { outputMax: 5, ...keeping({ x: 1 }) },
  ],
  [
    { stream: true, stream_options: { include_usage: true, include_obfuscation: false } },
    { stream: true, ...keeping({ stream_options: { include_obfuscation: false } }) },
  ],
  [{ response_format: { type: 'text' } }, { format: { type: 'text' } }],
  [{ response_format: { type: 'json_object' } }, { format: { type: 'json' } }],
  [
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', description: 'd', schema, strict: false },
      },
    },
    { format: { type: 'schema', schema, name: 'n', description: 'd', strict: false } },
  ],
  [{ response_format: { type: 'x' } }, keeping({ response_format: { type: 'x' } })],
  [
    { response_format: { type: 'json_schema' } },
    keeping({ response_format: { type: 'json_schema' } }),
  ],
  [
    { tools: [{ type: 'function', function: { name: 'f', parameters: schema, strict: false } }] },
    { tools: [{ ...made, schema, strict: false }] },
  ],
  [
    { tools: [{ type: 'function', function: { name: 'f', description: 'd' }, x: 1 }] },
    { tools: [{ ...made, description: 'd', ...keeping({ x: 1 }) }] },
  ],
  [
    { tools: [{ ...f, cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    {
      tools: [
        {
          ...made,
          cache: { ttl: '1h' },
          ...keeping({ cache_control: { type: 'ephemeral', ttl: '1h' } }),
        },
      ],
    },
  ],
  [
    { tools: [{ type: 'custom', custom: { name: 'p', description: 'd', format: { a: 1 } } }] },
    { tools: [{ type: 'custom', name: 'p', description: 'd', format: { a: 1 } }] },
  ],
  [
    { tools: [{ type: 'custom', custom: { name: 'p' } }] },
    { tools: [{ type: 'custom', name: 'p' }] },
  ],
  ...[{ type: 'x_tool' }, { type: 'custom' }, { type: 'function', function: {} }].map(
    (tool): [object, object] => [
      { tools: [tool] },
      { tools: [{ type: 'opaque', dialect: dialectId, value: tool }] },
    ],
  ),
])('%j goes and comes back as %j', (body, request) => {
  expect(read(body)).toEqual(request)
  expect(write(request as Partial<ChatRequest>)).toStrictEqual({ body, dropped: [] })
})

it.each<[unknown, object]>([
  ['none', { type: 'none' }],
  ['auto', { type: 'auto' }],
  ['required', { type: 'required' }],
  [f, { type: 'tool', name: 'f' }],
  [
    { type: 'custom', custom: { name: 'p' } },
    { type: 'tool', name: 'p', custom: true },
  ],
  ...(['auto', 'required'] as const).map((mode): [unknown, object] => [
    { type: 'allowed_tools', allowed_tools: { mode, tools: [f] } },
    { type: 'allowed', mode, names: ['f'] },
  ]),
  ...[
    'x',
    { type: 'function' },
    { type: 'custom' },
    { type: 'allowed_tools' },
    { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [f, { type: 'mcp' }] } },
  ].map((value): [unknown, object] => [value, { type: 'opaque', dialect: dialectId, value }]),
])('the choice of tool %j goes and comes back as %j', (choice, toolChoice) => {
  expect(read({ tool_choice: choice })).toEqual({ toolChoice })
  const { body, dropped } = write({ tools: [made], toolChoice } as Partial<ChatRequest>)
  expect([body.tool_choice, dropped]).toEqual([choice, []])
})

const absent = [
  'temperature',
  'metadata',
  'function_call',
  'parallel_tool_calls',
  'user',
  'stop',
  'tools',
  'tool_choice',
  'x',
]

it.each([
  [Object.fromEntries(absent.map(name => [name, null])), {}],
  [{ temperature: '1', n: '1', store: 'true', user: 1, service_tier: 1, metadata: 'm' }, {}],
  [{ max_tokens: '5', top_k: '5', stop: 5, logprobs: 'true', tools: 't', functions: 'f' }, 'top_k'],
  [{ stream_options: { include_usage: true }, response_format: null, logprobs: false }, {}],
  [{ stop: 'END' }, { stop: ['END'] }],
  [{ stop: ['a', 1, null] }, { stop: ['a'] }],
  [{ max_completion_tokens: 9 }, { outputMax: 9 }],
  [{ max_tokens: 5, max_completion_tokens: null }, { outputMax: 5 }],
  [{ top_logprobs: 2 }, { logprobs: { top: 2 } }],
  [{ tool_choice: 'any' }, { toolChoice: { type: 'required' } }],
  // The fields before `tools`: https://platform.openai.com/docs/api-reference/chat/create#chat_create-functions
  [
    { functions: [{ name: 'f', description: 'd', parameters: schema }] },
    { tools: [{ ...made, description: 'd', schema }] },
  ],
  [
    { functions: [{ name: 'f', description: 1, parameters: null, strict: 'x' }] },
    { tools: [made] },
  ],
  [{ function_call: { name: 'f' } }, { toolChoice: { type: 'tool', name: 'f' } }],
  [{ function_call: 'none' }, { toolChoice: { type: 'none' } }],
  [{ tools: [f], functions: [{ name: 'old' }] }, { tools: [made] }],
  [{ tool_choice: 'auto', function_call: 'none' }, { toolChoice: { type: 'auto' } }],
  [
    { tool_choice: { type: 'allowed_tools', allowed_tools: { tools: [f] } } },
    { toolChoice: { type: 'allowed', mode: 'auto', names: ['f'] } },
  ],
  [{ tools: [null] }, { tools: [{ type: 'opaque', dialect: dialectId, value: null }] }],
])('%j is read as %j', (body, request) => {
  const expected = typeof request === 'string' ? keeping({ [request]: '5' }) : request
  expect(read(body)).toEqual(expected)
})

it.each([
  [{ type: 'ephemeral' }, {}],
  [{ type: 'ephemeral', ttl: '5m' }, { ttl: '5m' }],
  [{ type: 'ephemeral', ttl: '2h' }, {}],
  [{ type: 'forever', ttl: '5m' }, undefined],
])('the mark %j at a tool means the same cache in other dialects', (mark, cache) => {
  expect(read({ tools: [{ ...f, cache_control: mark }] }).tools).toMatchObject([
    { ...made, ...(cache ? { cache } : {}) },
  ])
  expect('cache' in read({ tools: [{ ...f, cache_control: mark }] }).tools![0]!).toBe(!!cache)
})

it.each([
  [null, "'model' must be the name of a model."],
  [{ messages }, "'model' must be the name of a model."],
  [{ model: 'm' }, "'messages' must be a list of messages."],
  [{ model: 'm', messages: [...messages, null] }, "'messages' must be a list of messages."],
  [{ model: 'm', messages: ['hi'] }, "'messages' must be a list of messages."],
  [{ model: 'm', messages: [{ content: 'hi' }] }, "'messages' must be a list of messages."],
])('%j is refused with a hint', (body, hint) => {
  expect(openaiChat.decodeRequest(body)).toEqual({ ok: false, reason: 'invalid', hint })
})

const foreign = { dialect: 'gemini', fields: { a: 1 } } as const
const opaque = { type: 'opaque', dialect: 'gemini', value: { type: 'search' } } as const

it.each<[Partial<ChatRequest>, object, string[]]>([
  [{ user: 'u'.repeat(64) }, { user: 'u'.repeat(64) }, []],
  [{ tier: 'standard_only' }, { service_tier: 'default' }, []],
  [{ topK: 5 }, {}, ['top_k']],
  [{ topK: 5, unknownFields: foreign }, {}, ['top_k', 'a']],
  [{ cache: {} }, {}, ['cache_control']],
  [{ stream: true }, { stream: true, stream_options: { include_usage: true } }, []],
  [{ toolChoice: { type: 'auto' }, tools: [] }, {}, []],
  [{ toolChoice: { type: 'auto' }, parallelTools: true }, { parallel_tool_calls: true }, []],
  [{ tools: [opaque], parallelTools: true, toolChoice: opaque }, {}, ['tools.search']],
  [
    { tools: [{ type: 'function', name: 'f' }], toolChoice: opaque },
    { tools: [f] },
    ['tool_choice'],
  ],
  [
    { tools: [{ type: 'function', name: 'f', unknownFields: foreign, cache: {} }] },
    { tools: [f] },
    ['a', 'cache_control'],
  ],
  [
    { tools: [{ type: 'custom', name: 'p', unknownFields: foreign }] },
    { tools: [{ type: 'custom', custom: { name: 'p' } }] },
    ['a'],
  ],
  // The reference demands a name of a schema; other dialects give none.
  [
    { format: { type: 'schema', schema, unknownFields: foreign } },
    { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
    ['a'],
  ],
])('%j is written as %j, and %j is noted', (request, body, dropped) => {
  expect(write(request)).toStrictEqual({ body, dropped })
})

it.each([
  ['gpt-4o', 'max_tokens'],
  ['deepseek-chat', 'max_tokens'],
  ['gpt-5-mini', 'max_completion_tokens'],
  ['gpt-10', 'max_completion_tokens'],
  ['openai/o3', 'max_completion_tokens'],
])('%s is told its limit as %s', (model, name) => {
  expect(write({ model, outputMax: 5 }).body).toEqual({ [name]: 5 })
})

it('a newer model with two limits keeps both', () => {
  const limits = { max_tokens: 5, max_completion_tokens: 9 }
  expect(write({ model: 'o3', ...read(limits) }).body).toEqual(limits)
  expect(write(keeping({ max_tokens: 5 }) as Partial<ChatRequest>).body).toStrictEqual({
    max_tokens: 5,
  })
})

it('fields that only the caller’s dialect knows go on where the operator lets them', () => {
  const unknownFields = { dialect: 'gemini', fields: { a: 1, seed: 7 } } as const
  expect(write({ seed: 3, unknownFields }, { keepUnknownFields: true })).toStrictEqual({
    body: { a: 1, seed: 3 },
    dropped: [],
  })
  expect(write({ seed: 3, unknownFields })).toStrictEqual({
    body: { seed: 3 },
    dropped: ['a', 'seed'],
  })
  expect(write({ seed: 3 }, { keepUnknownFields: true })).toStrictEqual({
    body: { seed: 3 },
    dropped: [],
  })
})
