import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '../../canon.ts'
import type { EncodeRequestOptions } from '../../dialect.ts'
import { anthropic } from '../index.ts'

const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
const payload = [{ role: 'user', content: 'Hi' }]
const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })

const read = (body: object) =>
  anthropic.decodeRequest({ model: 'm', messages: payload, ...body }) as { request: ChatRequest }

const ask = (request: Partial<ChatRequest>, aim?: EncodeRequestOptions) => {
  const { body, warnings } = anthropic.encodeRequest({ model: 'm', messages, ...request }, aim)
  return { body, warnings: warnings.map(each => each.dropped) }
}

// https://platform.claude.com/docs/en/api/messages/create
describe('a request that is read', () => {
  it('means every field of it, and keeps what only its vendor knows', () => {
    const { request } = read({
      system: 'Be brief.',
      max_tokens: 9,
      stream: false,
      stop_sequences: ['END', 7],
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      tools: [{ name: 'f' }],
      tool_choice: { type: 'any' },
      thinking: { type: 'disabled' },
      output_config: { format: { type: 'json_schema', schema: { a: 1 } } },
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      cache_control: { type: 'ephemeral', ttl: '1h' },
      container: 'c',
    })
    expect(request).toEqual({
      model: 'm',
      messages: [{ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, ...messages],
      outputMax: 9,
      stream: false,
      stop: ['END'],
      temperature: 0,
      topP: 0.5,
      topK: 3,
      tools: [{ type: 'function', name: 'f' }],
      toolChoice: { type: 'required' },
      reasoning: { mode: 'disabled', unknownFields: dialectId({ thinking: { type: 'disabled' } }) },
      format: { type: 'schema', schema: { a: 1 } },
      user: 'u',
      tier: 'auto',
      cache: { ttl: '1h' },
      unknownFields: dialectId({ container: 'c' }),
    })
  })

  it('leaves out what is not as it should be', () => {
    const { request } = read({
      ...{ max_tokens: '9', stream: 'yes', stop_sequences: 'END', temperature: '1', top_p: '1' },
      ...{ top_k: '3', tools: {}, metadata: { user_id: 7 }, service_tier: 7, cache_control: {} },
      ...{ output_config: {}, thinking: null, tool_choice: null },
    })
    expect(request).toStrictEqual({ model: 'm', messages })
  })

  it.each([
    [{ output_config: { effort: 'low', task_budget: 7 } }, { output_config: { task_budget: 7 } }],
    [{ output_config: { format: { type: 'x' } } }, { output_config: { format: { type: 'x' } } }],
    [{ metadata: { user_id: 'u', team: 't' } }, { metadata: { team: 't' } }],
    [
      { metadata: { team: 't' }, speed: 'fast' },
      { metadata: { team: 't' }, speed: 'fast' },
    ],
  ])('keeps the rest of %j', (body, fields) =>
    expect(read(body).request.unknownFields).toEqual(dialectId(fields)),
  )

  it.each([null, 1, { messages: payload }, { model: 7, messages: payload }])(
    '%j names no model',
    body =>
      expect(anthropic.decodeRequest(body)).toMatchObject({
        ok: false,
        reason: 'invalid',
        hint: expect.stringContaining("'model'"),
      }),
  )

  it.each([undefined, 'Hi', [1], [null], [{}], [{ role: 7 }], [...payload, {}]])(
    '%j are no messages',
    given =>
      expect(anthropic.decodeRequest({ model: 'm', messages: given })).toMatchObject({
        ok: false,
        reason: 'invalid',
        hint: expect.stringContaining("'messages'"),
      }),
  )
})

describe('a request that is told', () => {
  const bare = { model: 'm', max_tokens: 8_192, messages: payload }

  it.each<[Partial<ChatRequest>, object, string[]]>([
    [{}, {}, []],
    [{ stream: false }, { stream: false }, []],
    [{ temperature: 0.5, topP: 0.9, topK: 4 }, { temperature: 0.5, top_p: 0.9, top_k: 4 }, []],
    [{ temperature: 1 }, { temperature: 1 }, []],
    [{ temperature: 1.5 }, { temperature: 1 }, ['temperature above 1']],
    [{ stop: ['END', ' \n'] }, { stop_sequences: ['END'] }, ['stop of blanks']],
    [{ stop: ['END'] }, { stop_sequences: ['END'] }, []],
    [{ stop: ['', ' '] }, {}, ['stop of blanks']],
    [{ stop: [] }, {}, []],
    [{ format: { type: 'text' } }, {}, []],
    [{ format: { type: 'json' } }, {}, ['response_format json_object']],
    [{ cache: {} }, { cache_control: { type: 'ephemeral' } }, []],
    [{ cache: { ttl: '1h' } }, { cache_control: { type: 'ephemeral', ttl: '1h' } }, []],
    [{ user: 'u' }, { metadata: { user_id: 'u' } }, []],
    [{ safetyId: 's' }, { metadata: { user_id: 's' } }, []],
    [{ user: 'u', safetyId: 's' }, { metadata: { user_id: 'u' } }, ['safetyId']],
    [{ tier: 'auto' }, { service_tier: 'auto' }, []],
    [{ tier: 'standard_only' }, { service_tier: 'standard_only' }, []],
    [{ tier: 'default' }, { service_tier: 'standard_only' }, []],
    [{ tier: 'priority' }, { service_tier: 'auto' }, []],
    [{ tier: 'flex' }, {}, ['service_tier']],
    [{ tier: 'toString' }, {}, ['service_tier']],
    [{ n: 1 }, {}, []],
    [{ n: 2 }, {}, ['n']],
    [{ store: false, seed: 0 }, {}, ['seed']],
    [{ presencePenalty: 1, frequencyPenalty: 1 }, {}, ['presencePenalty', 'frequencyPenalty']],
    [{ logprobs: {}, verbosity: 'low' }, {}, ['logprobs', 'verbosity']],
    [{ modalities: ['text'], audio: {} }, {}, ['modalities', 'audio']],
    [{ metadata: {}, store: true }, {}, ['metadata', 'store']],
    [{ cacheKey: 'k', cacheRetention: '24h' }, {}, ['cacheKey', 'cacheRetention']],
    [{ unknownFields: { dialect: 'openai-chat', fields: { logit_bias: {} } } }, {}, ['logit_bias']],
    [
      { unknownFields: dialectId({ container: 'c', model: 'x' }) },
      { container: 'c', model: 'x' },
      [],
    ],
    [
      { user: 'u', unknownFields: dialectId({ metadata: { t: 1 } }) },
      { metadata: { user_id: 'u', t: 1 } },
      [],
    ],
    [
      {
        format: { type: 'schema', schema: { a: 1 } },
        reasoning: { unknownFields: dialectId({ effort: 'low' }) },
        unknownFields: dialectId({ output_config: { task_budget: 7 } }),
      },
      {
        output_config: {
          effort: 'low',
          format: { type: 'json_schema', schema: { a: 1 } },
          task_budget: 7,
        },
      },
      [],
    ],
  ])('%j says %j, and notes %j', (request, more, warnings) =>
    expect(ask(request)).toStrictEqual({ body: { ...bare, ...more }, warnings }),
  )

  it('an answer in a schema cannot be had from a model that knows none', () => {
    const format = { type: 'schema' as const, schema: {} }
    const { body, warnings } = ask({ model: 'claude-3-5-haiku-20241022', format })
    expect(body).not.toHaveProperty('output_config')
    expect(warnings).toEqual(['response_format json_schema'])
  })

  it('a model that takes one sampler keeps the temperature, and says that the other is lost', () => {
    const model = 'claude-opus-4-1'
    expect(ask({ model, temperature: 0.5, topP: 0.9 })).toMatchObject({
      body: { temperature: 0.5 },
      warnings: ['top_p'],
    })
    expect(ask({ model, topP: 0.9 })).toMatchObject({ body: { top_p: 0.9 }, warnings: [] })
    const strict = ask({ model: 'claude-opus-4-7', temperature: 1.5, topP: 0.9, topK: 4 })
    expect(strict.body).toStrictEqual({ ...bare, model: 'claude-opus-4-7' })
    expect(strict.warnings).toEqual(['temperature above 1', 'temperature', 'top_p', 'top_k'])
  })

  it('the limit is the caller’s, then the model’s, then the operator’s, then 8192', () => {
    const outputMaxOf = { default: 11, m: 22 }
    expect(ask({ outputMax: 0 }, { defaultOutputMax: outputMaxOf }).body.max_tokens).toBe(0)
    expect(ask({}, { defaultOutputMax: outputMaxOf }).body.max_tokens).toBe(22)
    expect(ask({ model: 'x' }, { defaultOutputMax: outputMaxOf }).body.max_tokens).toBe(11)
    expect(ask({}, { defaultOutputMax: {} }).body.max_tokens).toBe(8_192)
  })

  it('fields of another dialect go on only where the operator lets them, and never over ours', () => {
    const unknownFields = {
      dialect: 'openai-chat' as const,
      fields: { container: 'c', model: 'dear' },
    }
    expect(ask({ unknownFields }, { keepUnknownFields: true })).toStrictEqual({
      body: { ...bare, container: 'c' },
      warnings: [],
    })
    expect(ask({}, { keepUnknownFields: true })).toStrictEqual({ body: bare, warnings: [] })
    expect(ask({ unknownFields }, { keepUnknownFields: false }).warnings).toEqual([
      'container',
      'model',
    ])
  })
})
