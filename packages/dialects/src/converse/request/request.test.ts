import { describe, expect, it } from 'vitest'
import type { ChatRequest, Part } from '../../canon.ts'
import type { Dialect } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { openaiChat } from '../../openai-chat/index.ts'
import { converse } from '../index.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const nova = 'us.amazon.nova-pro-v1:0'

const encoded = (from: Dialect, body: object, model = nova) => {
  const read = from.decodeRequest(body, { model, stream: false })
  if (!read.ok) throw new Error(read.hint)
  const { body: written, warnings } = converse.encodeRequest({ ...read.request, model })
  return { body: written as Json, warnings: warnings.map(each => each.dropped) }
}

const parsed = (request: Partial<ChatRequest>, model = nova) => {
  const messages = request.messages ?? [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
  const { body, warnings } = converse.encodeRequest({ ...request, model, messages })
  return { body: body as Json, warnings: warnings.map(each => each.dropped) }
}

const saying = (...parts: Part[]) => parsed({ messages: [{ role: 'user', parts }] })

describe('a conversation', () => {
  it('turns of one role are one, and late instructions stand where they were said', () => {
    const text = (role: string, content: string) => ({ role, content })
    const { body, warnings } = encoded(openaiChat, {
      model: 'x',
      messages: [
        text('user', 'a'),
        text('user', 'b'),
        text('system', 'c'),
        text('assistant', 'd'),
        text('assistant', ' '),
        text('user', 'e'),
        text('developer', 'f'),
      ],
    })
    expect(body).toEqual({
      system: [{ text: 'c' }],
      messages: [
        { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
        { role: 'assistant', content: [{ text: 'd' }] },
        { role: 'user', content: [{ text: 'e' }, { text: 'f' }] },
      ],
    })
    expect(warnings).toEqual(['messages.system (place)', 'blank text'])
  })

  it('a result may be a picture, a failure, or nothing', () => {
    const result = (parts: Part[], failed?: true): Part => ({
      type: 'tool-result',
      id: 'c',
      parts,
      ...(failed ? { failed } : {}),
    })
    const image = { type: 'media', mime: 'image/jpeg', base64: pixel } as const
    const { body } = saying(
      result([image]),
      result([{ type: 'text', text: 'No' }], true),
      result([]),
    )
    expect(body.messages[0].content).toEqual([
      {
        toolResult: {
          toolUseId: 'c',
          content: [{ image: { format: 'jpeg', source: { bytes: pixel } } }],
        },
      },
      { toolResult: { toolUseId: 'c', content: [{ text: 'No' }], status: 'error' } },
      { toolResult: { toolUseId: 'c', content: [{ json: {} }] } },
    ])
  })
})

describe('media', () => {
  it('documents have plain names, and no name twice', () => {
    const pdf = { type: 'media', mime: 'application/pdf', base64: pixel } as const
    const { body, warnings } = saying(
      { ...pdf, name: 'Q3_report (final).pdf' },
      { ...pdf, name: 'Q3 report (final) pdf' },
      { type: 'media', mime: 'text/plain', text: 'é' },
      { type: 'media', mime: 'text/x-python', base64: pixel },
    )
    const documents = body.messages[0].content.map((each: Json) => each.document)
    expect(documents.map((each: Json) => [each.format, each.name])).toEqual([
      ['pdf', 'Q3 report (final) pdf'],
      ['pdf', 'Q3 report (final) pdf 2'],
      ['txt', 'document'],
      ['txt', 'document 2'],
    ])
    expect(Buffer.from(documents[2].source.bytes, 'base64').toString()).toBe('é')
    expect(warnings).toEqual([])
  })

  it('films and sounds go too; what must be fetched does only from the vendor’s own storage', () => {
    const { body, warnings } = saying(
      { type: 'media', mime: 'video/mp4', url: 's3://bucket/film.mp4' },
      { type: 'media', mime: 'audio/mpeg', base64: pixel },
      { type: 'media', mime: 'image/*', url: 'https://media.example/a.png' },
      { type: 'media', mime: 'application/zip', base64: pixel },
    )
    expect(body.messages[0].content).toEqual([
      { video: { format: 'mp4', source: { s3Location: { uri: 's3://bucket/film.mp4' } } } },
      { audio: { format: 'mp3', source: { bytes: pixel } } },
    ])
    expect(warnings).toEqual(['media image/* that must be fetched', 'media application/zip'])
  })
})

describe('thoughts', () => {
  const thought = { type: 'thinking', text: 'Hm.' } as const

  it('go back only where the vendor signed them, byte for byte', () => {
    const signature = { dialect: 'converse', text: 'c2lnbmVk+/=' } as const
    const parts: Part[] = [
      { ...thought, signature },
      { type: 'thinking', text: '', redacted: true, signature },
      thought,
      { ...thought, signature: { dialect: 'anthropic', text: 'x' } },
    ]
    const { body, warnings } = parsed({ messages: [{ role: 'assistant', parts }] })
    expect(body.messages[0].content).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2lnbmVk+/=' } } },
      { reasoningContent: { redactedContent: 'c2lnbmVk+/=' } },
    ])
    expect(warnings).toEqual(['thinking without a signature'])
  })

  const nova2 = 'us.amazon.nova-2-lite-v1:0'
  it.each<[string, Partial<ChatRequest>, object | undefined, string[]]>([
    [nova2, { reasoning: { effort: 'minimal' } }, { effort: 'low' }, []],
    [
      nova2,
      { reasoning: { mode: 'enabled', budget: 1024 } },
      { effort: 'low' },
      ['reasoning.budget'],
    ],
    [nova2, { reasoning: { mode: 'adaptive' } }, { effort: 'medium' }, []],
    [nova2, { reasoning: { mode: 'disabled' } }, undefined, []],
    [
      nova2,
      { reasoning: { effort: 'high' }, temperature: 1, topP: 1 },
      { effort: 'high' },
      ['temperature', 'top_p'],
    ],
    // The caller's limit on what it pays goes before how hard the model thinks.
    [
      nova2,
      { reasoning: { effort: 'max' }, outputMax: 9 },
      { effort: 'medium' },
      ['reasoning.effort high'],
    ],
    [
      nova2,
      { reasoning: { effort: 'xhigh' }, outputMax: 9, temperature: 1, topP: 1 },
      { effort: 'medium' },
      ['reasoning.effort high'],
    ],
    [
      nova2,
      { reasoning: { effort: 'medium' }, outputMax: 9, temperature: 1, topP: 1 },
      { effort: 'medium' },
      [],
    ],
    [nova2, { reasoning: { effort: 'high' } }, { effort: 'high' }, []],
    [nova2, { reasoning: { effort: 'low', budget: 9_000 } }, { effort: 'low' }, []],
    [nova2, { reasoning: { effort: 'novel' } }, { effort: 'medium' }, []],
    [nova2, { reasoning: { effort: 'none' } }, undefined, []],
    [nova2, { reasoning: { budget: 0 } }, undefined, []],
    [
      nova2,
      { reasoning: { mode: 'enabled', budget: 0 } },
      { effort: 'medium' },
      ['reasoning.budget'],
    ],
    [nova2, { reasoning: { budget: -1 } }, { effort: 'medium' }, ['reasoning.budget']],
    [nova2, { reasoning: { budget: 1 } }, { effort: 'low' }, ['reasoning.budget']],
    [nova2, { reasoning: { budget: 4_095 } }, { effort: 'low' }, ['reasoning.budget']],
    [nova2, { reasoning: { budget: 4_096 } }, { effort: 'medium' }, ['reasoning.budget']],
    [nova2, {}, undefined, []],
    [nova, { reasoning: { effort: 'low' } }, undefined, ['reasoning']],
    ['us.deepseek.r1-v1:0', { reasoning: { mode: 'disabled' } }, undefined, []],
  ])('%s is asked %j', (model, request, thinks, dropped) => {
    const { body, warnings } = parsed(request, model)
    const { reasoningConfig } = body.additionalModelRequestFields ?? {}
    expect(reasoningConfig && { effort: reasoningConfig.maxReasoningEffort }).toEqual(thinks)
    expect(warnings).toEqual(dropped)
    expect(reasoningConfig?.type).toBe(thinks && 'enabled')
    expect(body.inferenceConfig?.maxTokens).toBe(request.outputMax)
    const isFree = warnings.includes('temperature')
    expect(body.inferenceConfig?.temperature).toBe(isFree ? undefined : request.temperature)
    expect(body.inferenceConfig?.topP).toBe(isFree ? undefined : request.topP)
  })

  it('gpt-oss is told in its own word, and cannot be kept from it', () => {
    const model = 'openai.gpt-oss-120b-1:0'
    expect(
      parsed({ reasoning: { effort: 'xhigh' } }, model).body.additionalModelRequestFields,
    ).toEqual({
      reasoning_effort: 'high',
    })
    expect(parsed({ reasoning: { effort: 'none' } }, model).warnings).toEqual(['reasoning'])
  })
})

// Features by model name, in addition to those of every model:
// https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html, …/structured-output.html
it.each<[string, boolean, string[], unknown]>([
  [nova, true, ['tools.strict', 'cache marks'], { inferenceConfig: { topK: 7 } }],
  ['openai.gpt-oss-120b-1:0', false, ['cache marks', 'top_k'], undefined],
  ['cohere.command-r-v1:0', false, ['cache marks', 'tools.strict'], { k: 7 }],
  ['meta.llama3-x', false, ['cache marks', 'tools.strict', 'top_k'], undefined],
  ['qwen.qwen3-32b-v1:0', false, ['cache marks', 'top_k'], undefined],
  ['arn:aws:bedrock:us-east-1:1:application-inference-profile/x', true, ['top_k'], undefined],
  [
    'arn:aws:bedrock:::foundation-model/google.gemma-3-x',
    false,
    ['cache marks', 'top_k'],
    undefined,
  ],
])('%s is told what it knows; it remembers a prompt: %j', (model, remembers, warnings, fields) => {
  const tools = [{ type: 'function', name: 'a', strict: true, cache: {} }] as const
  const payload = parsed({ tools: [...tools], topK: 7, cache: {} }, model)
  expect(payload.warnings).toEqual(warnings)
  expect(payload.body.messages[0].content.length).toBe(remembers ? 2 : 1)
  expect(payload.body.additionalModelRequestFields).toEqual(fields)
})

describe('tools', () => {
  const tool = { type: 'function', name: 'weather', schema, cache: {} } as const
  const call: Part = { type: 'tool-call', id: 'c', name: 'weather', input: '{}' }

  it('a conversation in which tools were called names them, wanted or not', () => {
    const messages = [
      { role: 'assistant' as const, parts: [call, { ...call, name: 'other' }] },
      { role: 'tool' as const, parts: [] },
    ]
    const spec = (name: string, json: object) => ({ toolSpec: { name, inputSchema: { json } } })
    expect(parsed({ messages }).body.toolConfig.tools).toEqual([
      spec('weather', { type: 'object' }),
      spec('other', { type: 'object' }),
    ])
    const off = parsed({ messages, tools: [tool], toolChoice: { type: 'none' } })
    expect(off.body.toolConfig.tools[0]).toEqual(spec('weather', schema))
    expect(off.warnings).toEqual(['tool_choice none'])
    expect(parsed({ tools: [tool], toolChoice: { type: 'none' } }).body.toolConfig).toBeUndefined()
  })

  it('of some allowed ones the others are left out; what only another vendor has is noted', () => {
    const { body, warnings } = parsed({
      tools: [
        tool,
        { type: 'custom', name: 'sh', format: { type: 'grammar' } },
        { type: 'function', name: 'c' },
        { type: 'opaque', dialect: 'anthropic', value: { type: 'web_search_20250305' } },
      ],
      toolChoice: { type: 'allowed', mode: 'required', names: ['sh', 'weather'] },
      parallelTools: false,
    })
    expect(body.toolConfig.tools.map((each: Json) => each.toolSpec.name)).toEqual(['weather', 'sh'])
    expect(body.toolConfig.toolChoice).toEqual({ any: {} })
    expect(warnings).toEqual(['cache marks', 'tools.custom.format', 'parallel_tool_calls'])
    const opaque = [{ type: 'opaque', dialect: 'anthropic', value: { type: 'bash' } } as const]
    expect(parsed({ tools: opaque })).toMatchObject({ warnings: ['tools.bash'] })
  })

  it('a tool is written with what is known of it', () => {
    const written = (tool: object) => {
      const { body, warnings } = parsed({ tools: [tool as never] }, 'qwen.qwen3-x')
      return [body.toolConfig.tools[0].toolSpec, warnings]
    }
    const empty = { json: { type: 'object' } }
    const of = (fields: object) => written({ type: 'function', name: 'a', ...fields })
    expect(of({})).toEqual([{ name: 'a', inputSchema: empty }, []])
    expect(of({ description: '' })).toEqual([{ name: 'a', inputSchema: empty }, []])
    expect(of({ description: 'd', strict: false, schema })).toEqual([
      { name: 'a', description: 'd', inputSchema: { json: schema } },
      [],
    ])
    expect(of({ schema: { type: 'string', title: 't' } })).toEqual([
      { name: 'a', inputSchema: { json: { type: 'object', title: 't' } } },
      [],
    ])
    expect(of({ unknownFields: { dialect: 'gemini', fields: { b: 1 } } })[1]).toEqual(['b'])
    const input = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
    for (const format of [undefined, { type: 'text' }])
      expect(written({ type: 'custom', name: 'a', description: 'd', format })).toEqual([
        { name: 'a', description: 'd', inputSchema: { json: input } },
        [],
      ])
    const nameless = { type: 'opaque', dialect: 'anthropic', value: null } as const
    expect(parsed({ tools: [nameless] })).toMatchObject({ warnings: ['tools.opaque'] })
  })

  it.each<[ChatRequest['toolChoice'], unknown, string[]]>([
    [undefined, undefined, []],
    [{ type: 'auto' }, undefined, []],
    [{ type: 'required' }, { any: {} }, []],
    [{ type: 'tool', name: 'weather' }, { tool: { name: 'weather' } }, []],
    [{ type: 'allowed', mode: 'auto', names: ['weather'] }, undefined, []],
    [{ type: 'allowed', mode: 'required', names: ['weather'] }, { any: {} }, []],
    [{ type: 'opaque', dialect: 'gemini', value: 1 }, undefined, ['tool_choice']],
  ])('the choice %j is written', (toolChoice, choice, warnings) => {
    const { cache, ...plain } = tool
    const payload = parsed({ tools: [plain], toolChoice: toolChoice as never, parallelTools: true })
    expect(payload.body.toolConfig.toolChoice).toEqual(choice)
    expect(payload.warnings).toEqual(warnings)
  })

  it('tools that were called once are remembered where none is allowed now', () => {
    const messages = [{ role: 'assistant' as const, parts: [call] }]
    const opaque = { type: 'opaque', dialect: 'anthropic', value: {} } as const
    const { body, warnings } = parsed({
      messages,
      tools: [opaque, { ...tool, strict: true }],
      toolChoice: { type: 'allowed', mode: 'auto', names: ['other'] },
    })
    expect(body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: schema } } }],
    })
    expect(warnings).toEqual(['tools.strict'])
    expect(
      parsed({ tools: [tool], toolChoice: { type: 'none' }, parallelTools: false }).warnings,
    ).toEqual([])
  })

  it('only models that know it are held to a schema', () => {
    const request: Partial<ChatRequest> = {
      tools: [{ type: 'function', name: 'a', strict: true }],
      format: { type: 'schema', name: 'n', schema },
    }
    const { body, warnings } = parsed(request, 'qwen.qwen3-32b-v1:0')
    expect(body.toolConfig.tools[0].toolSpec.strict).toBe(true)
    expect(body.outputConfig).toEqual({
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'n' } },
      },
    })
    expect(warnings).toEqual([])
    expect(parsed(request).warnings).toEqual(['tools.strict', 'response_format json_schema'])
  })
})

describe('what else is said', () => {
  const marked = { type: 'text', text: 'x', cache: { ttl: '1h' } } as const
  const request: Partial<ChatRequest> = {
    messages: [
      { role: 'system', parts: [{ ...marked, cache: {} }] },
      { role: 'user', parts: [marked] },
    ],
    tools: [{ type: 'function', name: 'a', cache: {} }],
    cache: {},
  }
  const point = { cachePoint: { type: 'default' } }
  const hour = { cachePoint: { type: 'default', ttl: '1h' } }

  it('marks stand behind what they cover, where the model remembers', () => {
    const unnamed = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x'
    const { body, warnings } = parsed(request, unnamed)
    expect(body.system).toEqual([{ text: 'x' }, point])
    expect(body.messages[0].content).toEqual([{ text: 'x' }, hour, point])
    expect(body.toolConfig.tools[1]).toEqual(point)
    expect(warnings).toEqual([])
    expect(parsed(request).warnings).toEqual(['cache marks'])
    expect(parsed(request).body.system).toEqual([{ text: 'x' }, point])
    const llama = parsed(request, 'arn:aws:bedrock:us-east-1:1:inference-profile/us.meta.llama3-x')
    expect(JSON.stringify(llama.body)).not.toContain('cachePoint')
    expect(llama.warnings).toEqual(['cache marks'])
  })

  it('what has a field goes into it, and the rest is noted', () => {
    const { body, warnings } = parsed({
      temperature: 1.5,
      topK: 7,
      seed: 1,
      n: 2,
      tier: 'flex',
      user: 'u',
      modalities: ['text', 'audio'],
      format: { type: 'json' },
      metadata: { trip: 'Rome', odd: '{"a":1}' },
    })
    expect(body).toMatchObject({
      inferenceConfig: { temperature: 1 },
      additionalModelRequestFields: { inferenceConfig: { topK: 7 } },
      serviceTier: { type: 'flex' },
      requestMetadata: { trip: 'Rome' },
    })
    expect(warnings.toSorted()).toEqual([
      'metadata',
      'modalities',
      'n',
      'response_format json_object',
      'seed',
      'temperature above 1',
      'user',
    ])
  })

  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html
  it.each<[Partial<ChatRequest>, object | undefined, string[]]>([
    [{}, undefined, []],
    [{ outputMax: 0 }, { maxTokens: 0 }, []],
    [{ temperature: 0 }, { temperature: 0 }, []],
    [{ temperature: 1 }, { temperature: 1 }, []],
    [{ temperature: 1.1 }, { temperature: 1 }, ['temperature above 1']],
    [{ topP: 0 }, { topP: 0 }, []],
    [{ stop: ['a', '', 'b'] }, { stopSequences: ['a', 'b'] }, []],
    [{ stop: [''] }, undefined, []],
  ])('limits %j', (request, inferenceConfig, warnings) => {
    const payload = parsed(request)
    expect([payload.body.inferenceConfig, payload.warnings]).toEqual([inferenceConfig, warnings])
  })

  it.each<[Partial<ChatRequest>, string[]]>([
    [{ seed: 0 }, ['seed']],
    [{ presencePenalty: 0 }, ['presencePenalty']],
    [{ frequencyPenalty: 0 }, ['frequencyPenalty']],
    [{ logprobs: {} }, ['logprobs']],
    [{ verbosity: 'low' }, ['verbosity']],
    [{ audio: {} }, ['audio']],
    [{ user: 'u' }, ['user']],
    [{ safetyId: 's' }, ['safetyId']],
    [{ store: false }, ['store']],
    [{ cacheKey: 'k' }, ['cacheKey']],
    [{ cacheRetention: '24h' }, ['cacheRetention']],
    [{ modalities: ['text'] }, []],
    [{ modalities: ['audio'] }, ['modalities']],
    [{ n: 1 }, []],
    [{ n: 2 }, ['n']],
    [{ format: { type: 'text' } }, []],
    [{ tier: 'auto' }, []],
    [{ tier: 'scale' }, ['service_tier']],
    [{ metadata: {} }, []],
    [{ metadata: { '': 'x' } }, ['metadata']],
    [{ metadata: { 'a{': 'x' } }, ['metadata']],
    [{ metadata: { a: 7 } }, ['metadata']],
    [{ metadata: { a: 'x'.repeat(257) } }, ['metadata']],
  ])('%j has no field, or says nothing', (request, warnings) => {
    const { body, warnings: noted } = parsed(request)
    expect(noted).toEqual(warnings)
    expect(Object.keys(body)).toEqual(['messages'])
  })

  it.each(['default', 'priority', 'flex'])('the tier %s has one', tier =>
    expect(parsed({ tier }).body.serviceTier).toEqual({ type: tier }),
  )

  it('of its own metadata a request has sixteen', () => {
    const metadata = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'x'.repeat(at)]))
    expect(parsed({ metadata: metadata(16) })).toMatchObject({
      body: { requestMetadata: metadata(16) },
      warnings: [],
    })
    const { body, warnings } = parsed({ metadata: metadata(17) })
    expect([body.requestMetadata, warnings]).toEqual([metadata(16), ['metadata']])
  })

  it('a schema goes as it is, with its name and description where it has them', () => {
    const model = 'qwen.qwen3-x'
    const jsonSchemaOf = (format: object) => {
      const { body } = parsed({ format: { type: 'schema', ...format } as never }, model)
      return body.outputConfig.textFormat.structure.jsonSchema
    }
    expect(jsonSchemaOf({ name: 'n', description: 'd', schema: {} })).toEqual({
      name: 'n',
      description: 'd',
      schema: '{}',
    })
    expect(jsonSchemaOf({})).toEqual({ schema: '{}' })
  })

  it('thinking as hard as it can, a model samples as it likes', () => {
    const model = 'us.amazon.nova-2-lite-v1:0'
    const payload = (effort: string) => parsed({ reasoning: { effort }, topK: 7 }, model)
    expect(payload('high').warnings).toEqual(['top_k'])
    expect(payload('low')).toMatchObject({
      warnings: [],
      body: {
        additionalModelRequestFields: {
          inferenceConfig: { topK: 7 },
          reasoningConfig: { maxReasoningEffort: 'low' },
        },
      },
    })
  })

  it('names of speakers and fields of their own are noted; what no system can say, too', () => {
    const image: Part = { type: 'media', mime: 'image/png', base64: pixel }
    const messages: ChatRequest['messages'] = [
      { role: 'system', parts: [image, marked] },
      {
        role: 'user',
        name: 'Ann',
        parts: [marked],
        unknownFields: { dialect: 'gemini', fields: { b: 1 } },
      },
      { role: 'assistant', parts: [] },
      { role: 'tool', parts: [marked] },
    ]
    const { body, warnings } = parsed({ messages })
    expect(body).toEqual({
      system: [{ text: 'x' }, hour],
      messages: [{ role: 'user', content: [{ text: 'x' }, hour, { text: 'x' }, hour] }],
    })
    expect(warnings).toEqual(['messages.name', 'b', 'system content'])
  })

  it('instructions alone are what the caller says', () => {
    const { body, warnings } = parsed({ messages: [{ role: 'system', parts: [marked] }] }, 'meta.x')
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'x' }] }] })
    expect(warnings).toEqual(['cache marks'])
    expect(parsed({ messages: [], cache: {} })).toEqual({ body: { messages: [] }, warnings: [] })
  })

  it('fields of another dialect go to the model where the operator wants it', () => {
    const unknownFields = { dialect: 'openai-chat' as const, fields: { repetition_penalty: 2 } }
    const messages = [{ role: 'user' as const, parts: [marked] }]
    const given = { model: 'meta.llama3-x', messages, unknownFields }
    const kept = converse.encodeRequest(given, { keepUnknownFields: true }).body
    expect(kept.additionalModelRequestFields).toEqual({ repetition_penalty: 2 })
    const both = converse.encodeRequest(
      { ...given, model: nova, topK: 7 },
      { keepUnknownFields: true },
    )
    expect(both.body.additionalModelRequestFields).toEqual({
      repetition_penalty: 2,
      inferenceConfig: { topK: 7 },
    })
    const none = converse.encodeRequest({ model: nova, messages }, { keepUnknownFields: true })
    expect(none.body.additionalModelRequestFields).toBeUndefined()
    expect(converse.encodeRequest(given).warnings).toContainEqual({
      dropped: 'repetition_penalty',
      dialect: 'converse',
    })
  })
})
