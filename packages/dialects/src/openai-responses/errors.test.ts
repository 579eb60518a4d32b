import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { openaiResponses } from './index.ts'

const result = (code: string, status: number) => ({ code, status, message: 'No.', requestId: '77' })

describe('faults', () => {
  it('before a stream they are those of chat', () => {
    const { status, body } = openaiResponses.encodeFault(result('quota.exhausted', 402))
    expect([status, JSON.parse(body).error.code]).toEqual([429, 'insufficient_quota'])
    const held = openaiResponses.encodeFault(result('quota.held', 429))
    expect([held.status, JSON.parse(held.body).error.code]).toEqual([429, 'rate_limit_exceeded'])
  })

  it('a started stream is told in an event that the official client throws', async () => {
    const text =
      openaiResponses.pingBeforeFirstEvent +
      openaiResponses.encodeFaultEvent(result('stream.quota', 402))
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = async () => new Response(text, { headers })
    const client = new OpenAI({ apiKey: 'k', baseURL: 'http://x.example', fetch })
    const stream = await client.responses.create({ model: 'm', input: '', stream: true })
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'insufficient_quota',
    })
  })

  it('and in one whose code Codex reads', () => {
    const last = openaiResponses
      .encodeFaultEvent(result('stream.quota', 402))
      .trim()
      .split('\n')
      .at(-1)!
    expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'insufficient_quota' } },
    })
  })

  it('both say the same: that the answer failed, and why', () => {
    const text = openaiResponses.encodeFaultEvent(result('token.model', 404))
    const message = 'No. (request id: 77)'
    const error = {
      message,
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    }
    const response = {
      id: 'resp_77',
      object: 'response',
      status: 'failed',
      error: { code: 'model_not_found', message },
      incomplete_details: null,
      output: [],
      usage: null,
    }
    const frame = (type: string, given: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...given })}\n\n`
    expect(text).toBe(frame('error', { error }) + frame('response.failed', { response }))
  })

  it('what Codex must not ask again, and when it may, stands in code and sentence', () => {
    const failed = (code: string, status: number, retryAfterSeconds?: number) => {
      const text = openaiResponses.encodeFaultEvent({
        ...result(code, status),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      })
      return JSON.parse(text.trim().split('\ndata: ').at(-1)!).response.error
    }
    expect(failed('upstream.context', 400).code).toBe('context_length_exceeded')
    expect(failed('upstream.caller', 400).code).toBe('invalid_prompt')
    expect(failed('upstream.busy', 503).code).toBe('server_is_overloaded')
    expect(failed('upstream.busy', 429, 7)).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/try again in 7s/),
    })
  })

  it('the official client reads on over pings, before the first event and after it', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
    const response = { id: 'resp_1', object: 'response', output: [], usage: null }
    const event = (type: string, given: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...given })}\n\n`
    const text = [
      openaiResponses.pingBeforeFirstEvent,
      event('response.created', { response }),
      openaiResponses.ping,
      event('response.completed', { response: { ...response, usage } }),
    ].join('')
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = async () => new Response(text, { headers })
    const client = new OpenAI({ apiKey: 'k', baseURL: 'http://x.example', fetch })
    const final = await client.responses.stream({ model: 'm', input: '' }).finalResponse()
    expect(final.usage?.total_tokens).toBe(3)
  })

  it.each([
    [{ error: { message: 'a', type: 'b', code: 'c' } }, { message: 'a', type: 'b', code: 'c' }],
    [
      { type: 'response.failed', response: { error: { message: 'a', code: 'c' } } },
      { message: 'a', type: '', code: 'c' },
    ],
    [{ response: 7 }, { message: '', type: '', code: '' }],
  ])('takes what it finds in %j', (body, fault) => {
    expect(openaiResponses.decodeFault(Buffer.from(JSON.stringify(body)))).toEqual(fault)
  })

  it('a page that speaks of a response is none, and a long one is not taken apart', () => {
    const read = (body: string) => openaiResponses.decodeFault(Buffer.from(body)).message
    expect(read('no "response" today')).toBe('no "response" today')
    const failed = { error: { message: 'no' } }
    expect(read(JSON.stringify({ response: failed }))).toBe('no')
    expect(read(JSON.stringify({ pad: 'x'.repeat(65_536), response: failed }))).not.toBe('no')
  })

  it('an answer under a good status may be none', () => {
    const read = (body: string) => openaiResponses.readAnswer(Buffer.from(body))
    expect(read('')).toEqual({ ok: false, failure: undefined })
    expect(read('{"error":{"message":"no"}}')).toMatchObject({ ok: false })
    expect(read('{"object":"list"}')).toMatchObject({ ok: false })
    expect(read('{"object":"response","error":null,"output":{}}')).toMatchObject({
      ok: true,
      usage: undefined,
      meteredTokens: 0,
    })
    expect(read('{"object":"response","usage":{"input_tokens":"9"}}')).toMatchObject({
      usage: 'broken',
    })
  })
})
