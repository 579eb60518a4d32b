import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { openaiChat } from './index.ts'

/** The field of the request that a refusal is about. */
const params: Record<string, string> = {
  'model.unknown': 'model',
  'token.model': 'model',
  'price.unknown': 'model',
  'response.previous': 'previous_response_id',
}
const result = (code: string, status: number) => ({ code, status, message: 'No.', requestId: '77' })
const decode = (body: string) => openaiChat.decodeFault(Buffer.from(body))

describe('faults', () => {
  it.each([
    ['quota.exhausted', 402, 429, 'insufficient_quota', 'insufficient_quota'],
    ['quota.held', 429, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['token.exhausted', 403, 429, 'insufficient_quota', 'insufficient_quota'],
    ['caller.unknown', 401, 401, 'invalid_request_error', 'invalid_api_key'],
    ['model.unknown', 404, 404, 'invalid_request_error', 'model_not_found'],
    ['rate.requests', 429, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['rate.concurrent', 429, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['quota.day', 402, 429, 'insufficient_quota', 'insufficient_quota'],
    ['request.unreadable', 400, 400, 'invalid_request_error', 'request_unreadable'],
    ['upstream.failed', 502, 502, 'server_error', 'upstream_failed'],
    ['stream.quota', 402, 429, 'insufficient_quota', 'insufficient_quota'],
    ['quota.month', 402, 429, 'insufficient_quota', 'insufficient_quota'],
    ['account.debt', 403, 403, 'insufficient_quota', 'account_debt'],
    ['account.frozen', 403, 403, 'insufficient_quota', 'account_frozen'],
    ['caller.disabled', 403, 401, 'invalid_request_error', 'account_deactivated'],
    ['token.disabled', 403, 401, 'invalid_request_error', 'invalid_api_key'],
    ['token.expired', 403, 401, 'invalid_request_error', 'invalid_api_key'],
    ['token.ip', 403, 403, 'permission_error', 'ip_not_authorized'],
    ['token.group', 403, 403, 'permission_error', 'group_not_allowed'],
    ['token.model', 403, 403, 'invalid_request_error', 'model_not_found'],
    ['price.unknown', 503, 503, 'invalid_request_error', 'model_price_unknown'],
    ['rate.requests_day', 429, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['rate.tokens', 429, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['response.previous', 400, 400, 'invalid_request_error', 'previous_response_not_found'],
    ['upstream.busy', 429, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['upstream.busy', 503, 503, 'server_error', 'server_is_overloaded'],
    ['upstream.busy', 500, 500, 'server_error', 'server_is_overloaded'],
    ['upstream.context', 400, 400, 'invalid_request_error', 'context_length_exceeded'],
    ['request.too_large', 413, 413, 'invalid_request_error', 'request_too_large'],
    ['request.odd-one', 499, 499, 'invalid_request_error', 'request_odd_one'],
    ['odd.one', 500, 500, 'server_error', 'odd_one'],
  ])('%s is told as this dialect tells it', (code, status, shown, type, name) => {
    const fault = openaiChat.encodeFault(result(code, status))
    expect(fault.status).toBe(shown)
    expect(JSON.parse(fault.body)).toEqual({
      error: {
        message: 'No. (request id: 77)',
        type,
        code: name,
        param: params[code] ?? null,
      },
    })
  })

  it.each([
    ['quota.exhausted', true],
    ['quota.held', false],
    ['account.debt', true],
    ['account.frozen', true],
    ['price.unknown', true],
    ['rate.requests', false],
    ['upstream.failed', false],
  ])('after %s the official client does not ask again: %s', (code, isFinal) => {
    expect(openaiChat.encodeFault(result(code, 402)).headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      ...(isFinal ? { 'x-should-retry': 'false' } : {}),
    })
  })

  it('the official client reads it', async () => {
    const fault = openaiChat.encodeFault(result('quota.exhausted', 402))
    const fetch = async () =>
      new Response(fault.body, { status: fault.status, headers: fault.headers })
    const client = new OpenAI({ apiKey: 'k', baseURL: 'http://upstream.example/v1', fetch })
    await expect(client.models.list()).rejects.toMatchObject({
      status: 429,
      code: 'insufficient_quota',
    })
  })

  it('a started stream is told in a frame that the official client throws', async () => {
    const event = openaiChat.encodeFaultEvent(result('upstream.broken', 502))
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = async () => new Response(`${openaiChat.ping}${event}`, { headers })
    const client = new OpenAI({ apiKey: 'k', baseURL: 'http://upstream.example/v1', fetch })
    const stream = await client.chat.completions.create({ model: 'm', messages: [], stream: true })
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'upstream_broken',
    })
  })

  it.each([
    ['{"error":{"message":"a","type":"b","code":"c"}}', { message: 'a', type: 'b', code: 'c' }],
    ['{"error":"a","code":"c"}', { message: 'a', type: '', code: 'c' }],
    ['{"message":"a","code":20012}', { message: 'a', type: '', code: '20012' }],
    ['{"detail":[{"msg":"a"},{"msg":"b"}]}', { message: 'a; b', type: '', code: '' }],
    ['[{"error":{"message":"a","status":"S"}}]', { message: 'a', type: 'S', code: '' }],
    ['{"base_resp":{"status_code":8,"status_msg":"a"}}', { message: 'a', type: '', code: '8' }],
    ['{"error":{"msg":"a","status":7}}', { message: 'a', type: '7', code: '' }],
    ['{"error":{"type":"b"},"message":"a","code":"c"}', { message: 'a', type: 'b', code: 'c' }],
    ['{"error":{"detail":"a","code":1},"code":2}', { message: 'a', type: '', code: '1' }],
    ['{"error":["a",{"message":"b"},5]}', { message: 'a; b', type: '', code: '' }],
    ['{"detail":{"msg":"a"}}', { message: 'a', type: '', code: '' }],
    ['{"errors":[{"code":7,"message":"a"},{"code":8}]}', { message: 'a', type: '', code: '7' }],
    ['{"errors":["a"]}', { message: 'a', type: '', code: '' }],
    ['{"errors":5,"type":{}}', { message: '', type: '', code: '' }],
    ['["a"]', { message: '["a"]', type: '', code: '' }],
    ['5', { message: '5', type: '', code: '' }],
    ['null', { message: 'null', type: '', code: '' }],
    [' {"message":"a"} ', { message: 'a', type: '', code: '' }],
    ['plain words', { message: 'plain words', type: '', code: '' }],
    ['<html>502</html>', { message: '', type: '', code: '' }],
    ['', { message: '', type: '', code: '' }],
  ])('takes what it finds in %s', (body, fault) => {
    expect(decode(body)).toEqual(fault)
  })

  it('a page in place of a message is cut', () => {
    const long = 'x'.repeat(3_000)
    expect(decode(long).message).toBe(long.slice(0, 2_000))
    const { message, type } = decode(JSON.stringify({ message: long, type: long }))
    expect([message, type]).toEqual([long.slice(0, 2_000), long.slice(0, 200)])
    expect(decode(`${' '.repeat(65_536)}late`).message).toBe('')
  })

  it('an answer under a good status may be none', () => {
    const read = (body: string) => openaiChat.readAnswer(Buffer.from(body))
    expect(read('')).toEqual({ ok: false, failure: undefined })
    expect(read('{"error":{"message":"no"}}')).toEqual({
      ok: false,
      failure: { error: { message: 'no' } },
    })
    expect(read('{"base_resp":{"status_code":1008}}').ok).toBe(false)
    expect(read('[]')).toEqual({ ok: false, failure: undefined })
    expect(read('{"choices":[]')).toEqual({ ok: false, failure: undefined })
    expect(read('{"choices":null}').ok).toBe(false)
    expect(read('{"choices":[],"error":"no"}').ok).toBe(false)
    expect(read('{"choices":[],"error":""}').ok).toBe(true)
    expect(read('{"choices":[],"usage":{"prompt_tokens":"9"}}')).toMatchObject({ usage: 'broken' })
    expect(read('{"choices":[{"message":{"content":"abcde"}}]}')).toEqual({
      ok: true,
      usage: undefined,
      meteredTokens: 2,
    })
    expect(read('{"usage":{"prompt_tokens":1},"choices":[]}')).toMatchObject({
      usage: { input: 1 },
      meteredTokens: 0,
    })
  })
})
