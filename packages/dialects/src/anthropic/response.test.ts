import { describe, expect, it } from 'vitest'
import type { ChatAnswer, Finish } from '../canon.ts'
import { noUsage } from '../usage.ts'
import { anthropic } from './index.ts'

const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })
const foreign = (fields: Record<string, unknown>) => ({ dialect: 'openai-chat' as const, fields })

// https://platform.claude.com/docs/en/api/messages/create
describe('an answer that is read', () => {
  it('means every field of it, and keeps what only its vendor knows', () => {
    const usage = { input_tokens: 5, output_tokens: 2, service_tier: 'standard' }
    const body = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', container: { id: 'c' } },
      content: [{ type: 'text', text: 'Hi' }],
      ...{ stop_reason: 'stop_sequence', stop_sequence: 'END', usage },
    }
    expect(anthropic.decodeAnswer(body)).toStrictEqual({
      id: 'msg_1',
      model: 'm',
      tier: 'default',
      choices: [
        {
          parts: [{ type: 'text', text: 'Hi' }],
          finish: { reason: 'stop-sequence', sequence: 'END' },
        },
      ],
      reportedUsage: {
        usage: { ...noUsage(), input: 5, output: 2, served: { tier: 'standard' } },
        unknownFields: dialectId(usage),
      },
      unknownFields: dialectId({ container: { id: 'c' } }),
    })
  })

  it.each([null, undefined, {}, { stop_reason: null, usage: null }])('%j says nothing', body =>
    expect(anthropic.decodeAnswer(body)).toStrictEqual({
      id: '',
      model: '',
      choices: [{ parts: [] }],
    }),
  )

  it.each([
    ['priority', 'priority'],
    ['batch', 'batch'],
    [7, undefined],
  ])('the tier %j is %j', (service_tier, tier) =>
    expect(anthropic.decodeAnswer({ usage: { service_tier } }).tier).toBe(tier),
  )
})

describe('an answer that is told', () => {
  const encode = (answer: Partial<ChatAnswer>) => {
    const { body, warnings } = anthropic.encodeResponse({
      id: 'i',
      model: 'm',
      choices: [],
      ...answer,
    })
    return { body, warnings: warnings.map(each => each.dropped) }
  }
  const nothing = {
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 0,
  }

  it('has every field that the official clients read, whatever is known', () => {
    expect(encode({})).toStrictEqual({
      body: {
        ...{ id: 'i', type: 'message', role: 'assistant', model: 'm', content: [] },
        ...{ stop_reason: 'end_turn', stop_sequence: null, usage: nothing },
      },
      warnings: [],
    })
  })

  it('says what it cannot say, and carries what is its own', () => {
    const choice = { parts: [{ type: 'text' as const, text: 'Hi' }] }
    const logprobs = [{ token: 'Hi', logprob: -1 }]
    const encoded = encode({
      choices: [
        { parts: [{ ...choice.parts[0]!, logprobs }], unknownFields: foreign({ a: 1 }) },
        choice,
      ],
      unknownFields: foreign({ b: 1 }),
    })
    expect(encoded.warnings).toEqual(['n', 'b', 'a', 'logprobs'])
    expect(encoded.body.content).toEqual([{ type: 'text', text: 'Hi' }])
    const mine = encode({ choices: [choice], unknownFields: dialectId({ container: 'c' }) })
    expect(mine).toMatchObject({ body: { container: 'c' }, warnings: [] })
  })

  it('tells what was used in its own classes, with the tier', () => {
    const usage = {
      ...noUsage(),
      ...{ input: 1, audioInput: 2, imageInput: 4, cacheRead: 8, cacheWrite5m: 16 },
      ...{ cacheWrite1h: 32, output: 64, reasoning: 128, audioOutput: 256, imageOutput: 512 },
      tools: { web_search: 3 },
    }
    expect(encode({ reportedUsage: { usage }, tier: 'default' }).body.usage).toStrictEqual({
      input_tokens: 7,
      cache_creation_input_tokens: 48,
      cache_read_input_tokens: 8,
      cache_creation: { ephemeral_5m_input_tokens: 16, ephemeral_1h_input_tokens: 32 },
      output_tokens: 960,
      output_tokens_details: { thinking_tokens: 128 },
      server_tool_use: { web_search_requests: 3 },
      service_tier: 'standard',
    })
    expect(
      encode({ reportedUsage: { usage: { ...noUsage(), reasoning: 1 } } }).body.usage,
    ).toStrictEqual({
      ...nothing,
      output_tokens: 1,
      output_tokens_details: { thinking_tokens: 1 },
    })
  })

  it.each<[Partial<ChatAnswer>, object]>([
    [{ tier: 'priority' }, { ...nothing, service_tier: 'priority' }],
    [{ tier: 'batch' }, { ...nothing, service_tier: 'batch' }],
    [{ tier: 'flex' }, nothing],
    [{ reportedUsage: { usage: 'broken' } }, nothing],
    [{ reportedUsage: { unknownFields: foreign({ x: 1 }) } }, nothing],
    [{ reportedUsage: { unknownFields: dialectId({ x: 1 }) }, tier: 'batch' }, { x: 1 }],
  ])('%j is told as %j', (answer, usage) => expect(encode(answer).body.usage).toStrictEqual(usage))
})

// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
describe('why an answer ended', () => {
  const finish = (stop_reason: string, stop_sequence: unknown = null) =>
    anthropic.decodeAnswer({ stop_reason, stop_sequence }).choices[0]!.finish
  const encode = (given: Finish, refusal = false) => {
    const part = { type: 'text' as const, text: 'No.', ...(refusal && { refusal }) }
    const choices = [{ parts: [part], finish: given }]
    const { body } = anthropic.encodeResponse({ id: 'i', model: 'm', choices })
    return [body.stop_reason, body.stop_sequence]
  }

  it.each<[string, Finish['reason']]>([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop-sequence'],
    ['tool_use', 'tools'],
    ['pause_turn', 'pause'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context-full'],
  ])('%s is %s, and back', (word, reason) => {
    expect(finish(word)).toStrictEqual({ reason })
    expect(encode({ reason })).toEqual([word, null])
    expect(finish(word, 'END')).toStrictEqual({ reason, sequence: 'END' })
    expect(encode({ reason, sequence: 'END' })).toEqual([word, 'END'])
  })

  it.each(['new_reason', 'toString'])('%s is kept as it stood', word => {
    const other: Finish = { reason: 'other', unknownFields: dialectId({ stop_reason: word }) }
    expect(finish(word)).toStrictEqual(other)
    expect(encode(other)).toEqual([word, null])
  })

  it.each<[Finish, boolean, string]>([
    [{ reason: 'filter' }, false, 'refusal'],
    [{ reason: 'error' }, false, 'end_turn'],
    [{ reason: 'other' }, false, 'end_turn'],
    [{ reason: 'other', unknownFields: dialectId({ stop_reason: 7 }) }, false, 'end_turn'],
    [{ reason: 'other', unknownFields: foreign({ stop_reason: 'x' }) }, false, 'end_turn'],
    [{ reason: 'stop' }, true, 'refusal'],
    [{ reason: 'length' }, true, 'max_tokens'],
  ])('%j (a refusal: %s) is told as %s', (given, refusal, word) =>
    expect(encode(given, refusal)[0]).toBe(word),
  )
})
