import { expect, it } from 'vitest'
import type { ChatRequest, Tool, ToolChoice } from '../../canon.ts'
import { gemini } from '../index.ts'

const named = { model: 'm', stream: false }
const read = (body: object): ChatRequest => {
  const result = gemini.decodeRequest(body, named)
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (request: Partial<ChatRequest>, aim?: { keepUnknownFields: boolean }) => {
  const { body, warnings } = gemini.encodeRequest({ model: 'm', messages: [], ...request }, aim)
  const { contents, ...rest } = body
  return { body: rest, dropped: warnings.map(each => each.dropped) }
}
const foreign = { dialect: 'openai-chat', fields: { odd: 1 } } as const
const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'gemini', fields }) as const

it.each([
  ['no object', 'Hi', named],
  ['no model', {}, undefined],
  ['a model that is none', { model: 7 }, undefined],
])('what is %s is refused', (_, body, path) => {
  expect(gemini.decodeRequest(body, path)).toMatchObject({ ok: false, reason: 'invalid' })
})

it('a body may name the model where no path does, by its resource name', () => {
  expect(gemini.decodeRequest({ model: 'models/gemini-3-pro' })).toEqual({
    ok: true,
    request: { model: 'gemini-3-pro', messages: [] },
  })
})

it.each(['Be short.', { parts: [{ text: 'Be short.' }] }, { parts: { text: 'Be short.' } }])(
  'what the system says may be %j',
  systemInstruction => {
    expect(read({ systemInstruction }).messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
    ])
  },
)

// https://protobuf.dev/programming-guides/json/: both spellings are one field.
it('fields are read in both spellings', () => {
  const fields = {
    safety_settings: [{ category: 'A', method_of: 'B' }],
    cached_content: 'cachedContents/1',
    service_tier: 'flex',
    tool_config: { retrieval_config: { language_code: 'en' } },
  }
  expect(read(fields)).toEqual({
    model: 'm',
    messages: [],
    stream: false,
    tier: 'flex',
    unknownFields: dialectId({
      safetySettings: [{ category: 'A', methodOf: 'B' }],
      cachedContent: 'cachedContents/1',
      toolConfig: { retrievalConfig: { languageCode: 'en' } },
    }),
  })
})

it('the names inside a schema, arguments, results and labels are the caller’s own', () => {
  const inside = { in_it: { a_b: 1 } }
  const request = read({
    contents: [
      {
        role: 'model',
        parts: [{ function_call: { name: 'f', args: inside }, part_metadata: inside }],
      },
      { role: 'user', parts: [{ function_response: { name: 'f', response: inside } }] },
    ],
    tools: [
      {
        function_declarations: [
          { name: 'f', parameters_json_schema: inside },
          { name: 'g', parameters: inside },
        ],
      },
    ],
    labels: inside,
  })
  expect(request.messages).toMatchObject([
    {
      parts: [
        { input: JSON.stringify(inside), unknownFields: { fields: { partMetadata: inside } } },
      ],
    },
    { parts: [{ parts: [{ text: JSON.stringify(inside) }] }] },
  ])
  expect(request.tools).toMatchObject([{ schema: inside }, { schema: inside }])
  expect(request.unknownFields?.fields).toEqual({ labels: inside })
  for (const name of ['response_schema', 'response_json_schema'])
    expect(
      read({ generation_config: { response_mime_type: 'application/json', [name]: inside } })
        .format,
    ).toMatchObject({ type: 'schema', schema: inside })
})

it('the request inside a count is read in both spellings, and its labels as they are', () => {
  const inner = { model: 'models/m', labels: { a_b: 'c' }, generation_config: { top_k: 4 } }
  for (const name of ['generateContentRequest', 'generate_content_request'])
    expect(gemini.tokenCounting?.decodeRequest({ [name]: inner }, named)).toMatchObject({
      ok: true,
      request: { model: 'm', topK: 4, unknownFields: dialectId({ labels: { a_b: 'c' } }) },
    })
})

it.each([
  [{ totalTokens: 0 }, 0],
  [{ totalTokens: 7 }, 7],
  [{ totalTokens: -1 }, undefined],
  [{ totalTokens: 1.5 }, undefined],
  [{ totalTokens: '7' }, undefined],
  [null, undefined],
])('the count %j comes to %j', (body, tokens) => {
  expect(gemini.tokenCounting?.decodeAnswer(body)).toBe(tokens)
})

it('a count names its model by its resource name', () => {
  const nameOf = (model: string) =>
    gemini.tokenCounting?.encodeRequest({ model, messages: [] }).body.generateContentRequest
  expect(nameOf('m')).toMatchObject({ model: 'models/m' })
  expect(nameOf('tunedModels/m')).toMatchObject({ model: 'tunedModels/m' })
})

// https://ai.google.dev/api/caching#Schema
it.each([
  [{ type: 'STRING' }, { type: 'string' }],
  [{ type: 'STRING', nullable: true }, { type: ['string', 'null'] }],
  [{ type: 'STRING', nullable: false }, { type: 'string' }],
  [{ type: 'TYPE_UNSPECIFIED', title: 'a' }, { title: 'a' }],
  [{ title: 'a' }, { title: 'a' }],
  [
    {
      ...{ minItems: '1', maxItems: '2', minLength: '3', maxLength: '4' },
      ...{ minProperties: '5', maxProperties: '6', minimum: 7, pattern: '8' },
    },
    {
      ...{ minItems: 1, maxItems: 2, minLength: 3, maxLength: 4 },
      ...{ minProperties: 5, maxProperties: 6, minimum: 7, pattern: '8' },
    },
  ],
  [
    { type: 'OBJECT', properties: { a: null, b: true, c: ['X'], d: { type: 'NUMBER' } } },
    { type: 'object', properties: { a: null, b: true, c: ['X'], d: { type: 'number' } } },
  ],
  [
    { items: { type: 'STRING' }, anyOf: [{ type: 'ARRAY' }], propertyOrdering: [], example: 1 },
    { items: { type: 'string' }, anyOf: [{ type: 'array' }] },
  ],
])('the schema %j is %j for everybody', (parameters, schema) => {
  const [tool] = read({ tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] }).tools!
  expect(tool).toEqual({
    type: 'function',
    name: 'f',
    schema,
    unknownFields: dialectId({ parameters }),
  })
})

const config = (mode: string, ...allowedFunctionNames: string[]) =>
  allowedFunctionNames.length > 0 ? { mode, allowedFunctionNames } : { mode }

// https://ai.google.dev/api/caching#FunctionCallingConfig
it.each<[object, ToolChoice]>([
  [config('AUTO'), { type: 'auto' }],
  [config('NONE'), { type: 'none' }],
  [config('ANY'), { type: 'required' }],
  [config('ANY', 'f'), { type: 'tool', name: 'f' }],
  [config('ANY', 'f', 'g'), { type: 'allowed', mode: 'required', names: ['f', 'g'] }],
  [config('VALIDATED', 'f'), { type: 'allowed', mode: 'auto', names: ['f'] }],
  [config('VALIDATED'), opaque(config('VALIDATED'))],
  [config('AUTO', 'f'), opaque(config('AUTO', 'f'))],
  [config('NONE', 'f', 'g'), opaque(config('NONE', 'f', 'g'))],
  [{ allowedFunctionNames: ['f'] }, opaque({ allowedFunctionNames: ['f'] })],
  [{ mode: 'ANY', later: 1 }, opaque({ mode: 'ANY', later: 1 })],
])('tools are chosen by %j as %j', (functionCallingConfig, toolChoice) => {
  const request = read({ toolConfig: { functionCallingConfig } })
  expect(request.toolChoice).toEqual(toolChoice)
  expect(write(request)).toEqual({ body: { toolConfig: { functionCallingConfig } }, dropped: [] })
})

function opaque(value: object): ToolChoice {
  return { type: 'opaque', dialect: 'gemini', value }
}

it.each([{}, { allowedFunctionNames: [] }])('%j chooses nothing', functionCallingConfig => {
  expect(read({ toolConfig: { functionCallingConfig } }).toolChoice).toBeUndefined()
})

// https://ai.google.dev/api/caching#FunctionDeclaration
it('a tool whose input is a text takes it as its one argument', () => {
  const tool: Tool = { type: 'custom', name: 'f', description: 'd' }
  const declared = {
    name: 'f',
    description: 'd',
    parametersJsonSchema: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
    },
  }
  const tools = [{ functionDeclarations: [declared] }]
  expect(write({ tools: [tool] })).toEqual({ body: { tools }, dropped: [] })
  const grammar: Tool = { ...tool, format: { type: 'grammar' }, cache: {}, unknownFields: foreign }
  expect(write({ tools: [grammar] })).toEqual({
    body: { tools },
    dropped: ['odd', 'cache_control', 'format'],
  })
})

it('a function without a schema has none', () => {
  expect(write({ tools: [{ type: 'function', name: 'f' }] })).toEqual({
    body: { tools: [{ functionDeclarations: [{ name: 'f' }] }] },
    dropped: [],
  })
})

it.each([
  [{ type: 'web_search_preview' }, 'web_search_preview'],
  [{ name: 'bash' }, 'bash'],
  [{}, 'tools'],
])('a built-in tool of another dialect is noted: %j', (value, name) => {
  const tools: Tool[] = [{ type: 'opaque', dialect: 'anthropic', value }]
  expect(write({ tools })).toEqual({ body: { tools: [] }, dropped: [name] })
})

it.each<[Partial<ChatRequest>, string[]]>([
  [{ toolChoice: { type: 'opaque', dialect: 'openai-chat', value: {} } }, ['tool_choice']],
  [{ parallelTools: true }, []],
  [{ parallelTools: false }, ['parallel_tool_calls']],
  [{ safetyId: 'a' }, ['safety_identifier']],
  [{ cacheKey: 'a' }, ['prompt_cache_key']],
  [{ cacheRetention: '24h' }, ['prompt_cache_retention']],
  [{ cache: {} }, ['cache_control']],
  [{ reasoning: { unknownFields: foreign } }, ['odd']],
  [{ audio: { voice: 'Kore', format: 'pcm16', speed: 2 } }, ['audio format']],
])('what has no place is noted: %j', (request, dropped) => {
  expect(write(request).dropped).toEqual(dropped)
})

it('fields of another dialect go on where the operator lets them', () => {
  expect(write({ unknownFields: foreign }, { keepUnknownFields: true })).toEqual({
    body: { odd: 1 },
    dropped: [],
  })
  expect(write({ unknownFields: foreign })).toEqual({ body: {}, dropped: ['odd'] })
  const unknownFields = dialectId({ generationConfig: { mediaResolution: 'LOW' } })
  expect(write({ topK: 4, unknownFields }, { keepUnknownFields: true })).toEqual({
    body: { generationConfig: { topK: 4, mediaResolution: 'LOW' } },
    dropped: [],
  })
})

// https://ai.google.dev/api/generate-content#GenerationConfig
it.each([
  [{ responseMimeType: 'text/plain' }, { type: 'text' }],
  [{ responseMimeType: 'application/json' }, { type: 'json' }],
  [
    { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
    { type: 'schema', schema: { type: 'object' } },
  ],
  [
    { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT' } },
    {
      type: 'schema',
      schema: { type: 'object' },
      unknownFields: dialectId({ responseSchema: { type: 'OBJECT' } }),
    },
  ],
  [{ responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING' } }, undefined],
])('the form %j is %j, and goes back as it was', (generationConfig, format) => {
  const request = read({ generationConfig })
  expect(request.format).toEqual(format)
  expect(write(request)).toEqual({ body: { generationConfig }, dropped: [] })
})

it('what is said of a form besides its schema is noted', () => {
  const format = { type: 'schema', schema: {}, description: 'd', unknownFields: foreign } as const
  expect(write({ format })).toEqual({
    body: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: {} } },
    dropped: ['odd', 'description'],
  })
})

// https://ai.google.dev/gemini-api/docs/thinking
it.each([
  ['gemini-1.5-pro', 'medium', { thinkingBudget: 8_192 }],
  ['gemini-2.5-flash', 'a-new-one', { thinkingBudget: -1 }],
  ['gemini-flash-latest', 'none', { thinkingBudget: 0 }],
  ['gemini-3-pro', 'a-new-one', { thinkingLevel: 'A-NEW-ONE' }],
])('%s thinks with the effort %s as %j', (model, effort, thinkingConfig) => {
  expect(write({ model, reasoning: { effort } }).body).toEqual({
    generationConfig: { thinkingConfig },
  })
})

it.each([
  ['default', 'standard'],
  ['standard_only', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])('the tier %s is asked for as %s', (tier, serviceTier) => {
  expect(write({ tier })).toEqual({ body: { serviceTier }, dropped: [] })
})
