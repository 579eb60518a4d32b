import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordedLines,
  recordingsOf,
} from '../../../../../test/harness/runner/recordings.ts'
import { noUsage } from '../../usage.ts'
import { anthropic } from '../index.ts'

const decodedRequest = anthropic.read(
  Buffer.from('{"model":"claude-x","max_tokens":9,"stream":true}'),
)
if (!decodedRequest.ok) throw new Error(decodedRequest.hint)
const { parsed } = decodedRequest
const encoded = (code: string, status: number) => ({
  code,
  status,
  message: 'No.',
  requestId: '77',
})

itWithRecordings(
  'recorded answers of the vendor stand in ../shared/fixtures (left out where they do not)',
  () => {
    expect(areRecordings).toBe(true)
    expect(recordingsOf('anthropic', '.chunks.txt').length).toBeGreaterThan(12)
  },
)

describe.runIf(areRecordings)('recorded streams', () => {
  for (const name of recordingsOf('anthropic', '.chunks.txt'))
    it(`${name} is passed on byte by byte up to its last event`, () => {
      const lines = recordedLines(name)
      // Some recordings are of several answers.
      const first = lines.slice(0, lines.findIndex(line => line.includes('"message_stop"')) + 1)
      const frames = first.map(line => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`)
      const stream = Buffer.from(frames.join(''))
      const observer = anthropic.observeStream(parsed)
      const out: Buffer[] = []
      for (let at = 0; at < stream.length; at += 1_000)
        out.push(...observer.push(stream.subarray(at, at + 1_000)))
      expect([observer.isClosed(), observer.malformedFrames(), observer.failure()]).toEqual([
        true,
        0,
        undefined,
      ])
      expect(String(Buffer.concat(out))).toBe(frames.slice(0, -1).join(''))
      expect(String(observer.tail())).toBe(frames.at(-1))
      expect(observer.usage()).toBeTypeOf('object')
      expect(observer.meteredTokens()).toBeGreaterThan(0)
    })

  for (const name of recordingsOf('anthropic', '.json'))
    it(`${name} is read whole`, () => {
      const answer = anthropic.readAnswer(Buffer.from(recorded(name)))
      expect(answer).toMatchObject({ ok: true, usage: { tools: {} } })
    })
})

describe('reading', () => {
  const read = (body: string) => anthropic.read(Buffer.from(body))

  it('takes what decides the price', () => {
    expect(read('{"model":"m","max_tokens":5,"tools":[{}],"stream":true}')).toMatchObject({
      parsed: { model: 'm', outputMax: 5, hasTools: true, stream: true, n: 1, wantsUsage: true },
    })
    expect(read('{"model":"m"}')).toMatchObject({
      parsed: { outputMax: undefined, stream: false, hasTools: false },
    })
    for (const max of [0, 2 ** 31])
      expect(read(`{"model":"m","max_tokens":${max},"stream":false,"tools":[]}`)).toMatchObject({
        parsed: { outputMax: max, stream: false, hasTools: false },
      })
  })

  it.each([
    ['{}', "'model' must be the name of a model."],
    ['{"model":""}', "'model' must be the name of a model."],
    ['{"model":"m","stream":1}', "'stream' must be true or false."],
    ['{"model":"m","stream":"true"}', "'stream' must be true or false."],
    ['{"model":"m","max_tokens":-1}', "'max_tokens' must be a whole number from 0 to 2^31."],
    [
      '{"model":"m","max_tokens":2147483649}',
      "'max_tokens' must be a whole number from 0 to 2^31.",
    ],
    ['{"model":"m","max_tokens":"9"}', "'max_tokens' must be a whole number from 0 to 2^31."],
  ])('refuses what cannot be priced: %s', (body, hint) =>
    expect(read(body)).toEqual({ ok: false, reason: 'invalid', hint }),
  )

  it('refuses what parsers read in two ways', () => {
    expect(read('{"model":"a","model":"b"}')).toMatchObject({ reason: 'ambiguous' })
    for (const key of ['MAX_TOKENS', 'Model', 'Stream'])
      expect(read(`{"model":"a","${key}":9}`)).toMatchObject({ reason: 'ambiguous' })
    expect(read('[]')).toMatchObject({ ok: false })
  })

  it('an answer under a good status may be none', () => {
    const readAnswer = (body: string) => anthropic.readAnswer(Buffer.from(body))
    expect(readAnswer('')).toEqual({ ok: false, failure: undefined })
    const refusal = { type: 'error', error: { type: 'api_error', message: 'no' } }
    expect(readAnswer(JSON.stringify(refusal))).toEqual({ ok: false, failure: refusal })
    for (const other of [{ type: 'completion' }, { id: 'a' }, { type: 'message', error: {} }])
      expect(readAnswer(JSON.stringify(other))).toEqual({ ok: false, failure: other })
    expect(readAnswer('{"type":"message","usage":{"input_tokens":-1}}')).toMatchObject({
      usage: 'broken',
    })
    expect(readAnswer('{"type":"message"}')).toMatchObject({
      ok: true,
      usage: undefined,
      meteredTokens: 0,
    })
    const payload = { type: 'message', id: 'x', usage: { input_tokens: 5, x: {} }, model: 'm' }
    expect(readAnswer(JSON.stringify(payload))).toMatchObject({ ok: true, usage: { input: 5 } })
  })

  it('a whole answer is metered by the words and the inputs of the model', () => {
    const metered = (content: object[]) => {
      const answer = anthropic.readAnswer(Buffer.from(JSON.stringify({ type: 'message', content })))
      return answer.ok ? answer.meteredTokens : undefined
    }
    expect(metered([{ type: 'text', text: 'abcdefgh' }])).toBe(2)
    expect(metered([{ type: 'tool_use', id: 'xxxxxxxx', input: {} }])).toBe(1)
    expect(metered([{ type: 'tool_use', input: { a: { b: 'abcd' } } }, { text: 'abcd' }])).toBe(9)
    expect(metered([{ type: 'x_result', content: [{ text: 'abcdefgh' }] }])).toBe(0)
    expect(metered([{ type: 'x_result', content: [{ input: { a: 'abcdefgh' } }] }])).toBe(0)
    expect(metered([{ type: 'thinking', thinking: 'abcde', signature: 'abcdefgh' }])).toBe(2)
    const calls = [{ input: {} }, { input: {} }, { name: 'abcdefgh' }, { text: 'abcd' }]
    expect(metered(calls)).toBe(3)
  })
})

describe('usage', () => {
  it('later figures take the place of earlier ones, and null says nothing', () => {
    const frame = (payload: object) => Buffer.from(`data: ${JSON.stringify(payload)}\n\n`)
    const observer = anthropic.observeStream(parsed)
    const first = { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 1 }
    observer.push(frame({ type: 'message_start', message: { usage: first } }))
    observer.push(frame({ type: 'message_delta', usage: { output_tokens: 5 } }))
    observer.push(frame({ type: 'message_delta', usage: { input_tokens: null, output_tokens: 8 } }))
    expect(observer.usage()).toMatchObject({ input: 9, cacheRead: 3, output: 8 })
  })

  it('a sum of written tokens that grew is believed over the parts that did not', () => {
    expect(
      anthropic.decodeUsage({
        input_tokens: 6,
        output_tokens: 1,
        cache_creation_input_tokens: 3_337,
        cache_creation: { ephemeral_5m_input_tokens: 3_000, ephemeral_1h_input_tokens: 68 },
      }),
    ).toMatchObject({ cacheWrite5m: 3_269, cacheWrite1h: 68 })
  })

  it('thinking is inside the output, searches are sold by the call, compaction is outside the sums', () => {
    expect(
      anthropic.decodeUsage({
        input_tokens: 10,
        output_tokens: 30,
        output_tokens_details: { thinking_tokens: 12 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
        iterations: [
          { type: 'message', input_tokens: 10, output_tokens: 30 },
          { type: 'compaction', input_tokens: 100, output_tokens: 5 },
        ],
      }),
    ).toMatchObject({ input: 110, output: 23, reasoning: 12, tools: { web_search: 2 } })
  })

  const bare = { input_tokens: 5, output_tokens: 4 }
  const none = { ...noUsage(), input: 5, output: 4 }
  const writes = (all: number | undefined, m5?: number, h1?: number) => ({
    ...bare,
    cache_creation_input_tokens: all,
    cache_creation: { ephemeral_5m_input_tokens: m5, ephemeral_1h_input_tokens: h1 },
  })
  const compaction = {
    ...{ type: 'compaction', input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 64 },
    cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 8 },
  }

  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
  it.each<[object, object]>([
    [bare, none],
    [{ input_tokens: 5 }, { ...noUsage(), input: 5 }],
    [{ output_tokens: 4 }, { ...noUsage(), output: 4 }],
    [
      { ...bare, cache_read_input_tokens: 3, cache_creation: null },
      { ...none, cacheRead: 3 },
    ],
    [writes(3), { ...none, cacheWrite5m: 3 }],
    [writes(undefined, 3, 2), { ...none, cacheWrite5m: 3, cacheWrite1h: 2 }],
    [writes(9, 3, 2), { ...none, cacheWrite5m: 7, cacheWrite1h: 2 }],
    [writes(2, 0, 3), { ...none, cacheWrite1h: 2 }],
    [
      { ...bare, output_tokens_details: { thinking_tokens: 3 } },
      { ...none, output: 1, reasoning: 3 },
    ],
    [
      { ...bare, output_tokens_details: { thinking_tokens: 9 } },
      { ...none, output: 0, reasoning: 4 },
    ],
    [
      { input_tokens: 5, output_tokens_details: { thinking_tokens: 9 } },
      { ...none, output: 0 },
    ],
    [
      { ...bare, server_tool_use: { web_search_requests: 1 } },
      { ...none, tools: { web_search: 1 } },
    ],
    [{ ...bare, server_tool_use: { web_search_requests: 0 } }, none],
    [{ ...bare, server_tool_use: [1] }, none],
    [{ ...bare, iterations: [null, 7, { type: 'message', ...bare }, { type: 'x' }] }, none],
    [
      { ...bare, iterations: [compaction, { type: 'advisor_message', output_tokens: 100 }] },
      { ...noUsage(), input: 6, cacheRead: 2, cacheWrite5m: 4, cacheWrite1h: 8, output: 168 },
    ],
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
    [
      {
        ...bare,
        iterations: [
          { type: 'message', model: 'executor', ...bare },
          { type: 'advisor_message', model: 'advisor', input_tokens: 9, output_tokens: 1 },
        ],
      },
      { ...none, input: 14, output: 5, otherModels: ['advisor'] },
    ],
  ])('%j is read', (usage, read) => expect(anthropic.decodeUsage(usage)).toStrictEqual(read))

  it.each([
    ...[null, 7, [bare], {}, { input_tokens: -1 }, { input_tokens: 1.5 }, { output_tokens: 1e12 }],
    { ...bare, cache_read_input_tokens: '3' },
    ...[writes(-1), writes(9, -1), writes(9, 0, -1)],
    { ...bare, output_tokens_details: { thinking_tokens: -1 } },
    { ...bare, server_tool_use: { web_search_requests: -1 } },
    { ...bare, iterations: [{ type: 'compaction', input_tokens: -1 }] },
    { ...bare, iterations: [{ type: 'compaction' }] },
  ])('%j is no usage', usage => expect(anthropic.decodeUsage(usage)).toBe('broken'))
})

describe('faults', () => {
  it.each([
    ['x', 400, 400, 'invalid_request_error'],
    ['x', 401, 401, 'authentication_error'],
    ['x', 402, 402, 'billing_error'],
    ['x', 403, 403, 'permission_error'],
    ['x', 404, 404, 'not_found_error'],
    ['x', 413, 413, 'request_too_large'],
    ['x', 422, 422, 'invalid_request_error'],
    ['x', 429, 429, 'rate_limit_error'],
    ['x', 500, 500, 'api_error'],
    ['x', 502, 502, 'api_error'],
    ['x', 503, 503, 'overloaded_error'],
    ['x', 504, 504, 'timeout_error'],
    ['x', 529, 529, 'overloaded_error'],
    ['quota.exhausted', 429, 402, 'billing_error'],
    ['quota.held', 429, 429, 'rate_limit_error'],
    ['token.exhausted', 429, 402, 'billing_error'],
    ['stream.quota', 429, 402, 'billing_error'],
    ['account.debt', 402, 403, 'billing_error'],
    ['account.frozen', 402, 403, 'billing_error'],
    ['token.disabled', 403, 401, 'authentication_error'],
    ['token.expired', 403, 401, 'authentication_error'],
    ['caller.disabled', 403, 401, 'authentication_error'],
    ['token.model', 403, 404, 'not_found_error'],
    ['model.unknown', 400, 404, 'not_found_error'],
    ['price.unknown', 503, 404, 'not_found_error'],
    ['upstream.busy', 429, 529, 'overloaded_error'],
  ])('%s with %i is told with %i, %s', (code, status, shown, type) => {
    const fault = anthropic.encodeFault(encoded(code, status))
    expect(fault.status).toBe(shown)
    const body = { type: 'error', error: { type, message: 'No.' }, request_id: '77' }
    expect(JSON.parse(fault.body)).toEqual(body)
    expect(fault.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'request-id': '77',
      ...((type === 'billing_error' || code === 'price.unknown') && { 'x-should-retry': 'false' }),
    })
    const event = anthropic.encodeFaultEvent(encoded(code, status))
    expect(event).toBe(`event: error\ndata: ${JSON.stringify(body)}\n\n`)
  })

  it('the official client reads it, and does not ask again for a spent balance', async () => {
    let calls = 0
    const fault = anthropic.encodeFault(encoded('quota.exhausted', 402))
    const fetch = async () => {
      calls += 1
      return new Response(fault.body, { status: fault.status, headers: fault.headers })
    }
    const client = new Anthropic({ apiKey: 'k', baseURL: 'http://upstream.example', fetch })
    await expect(client.models.list()).rejects.toMatchObject({ status: 402, requestID: '77' })
    expect(calls).toBe(1)
  })

  it('a started stream is told in an event that the official client throws', async () => {
    const event = anthropic.encodeFaultEvent(encoded('upstream.broken', 502))
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = async () => new Response(`${anthropic.ping}${event}`, { headers })
    const client = new Anthropic({ apiKey: 'k', baseURL: 'http://upstream.example', fetch })
    const stream = client.messages.stream({ model: 'm', max_tokens: 1, messages: [] })
    await expect(stream.finalMessage()).rejects.toThrow('api_error')
  })

  it('the vendor’s own refusal is read', () => {
    const body = Buffer.from(
      '{"type":"error","error":{"type":"overloaded_error","message":"Full"}}',
    )
    expect(anthropic.decodeFault(body)).toMatchObject({ message: 'Full', type: 'overloaded_error' })
  })
})
