import { GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import { gemini, geminiArray } from './index.ts'

const encoded = (code: string, status: number) => ({
  code,
  status,
  message: 'No.',
  requestId: '77',
})

describe('faults', () => {
  it.each([
    ['quota.exhausted', 402, 429, 'RESOURCE_EXHAUSTED'],
    ['quota.held', 429, 429, 'RESOURCE_EXHAUSTED'],
    ['account.debt', 403, 403, 'PERMISSION_DENIED'],
    ['caller.unknown', 401, 401, 'UNAUTHENTICATED'],
    ['model.unknown', 404, 404, 'NOT_FOUND'],
    ['rate.requests', 429, 429, 'RESOURCE_EXHAUSTED'],
    ['request.unreadable', 400, 400, 'INVALID_ARGUMENT'],
    ['upstream.failed', 502, 502, 'INTERNAL'],
    ['server.stopping', 503, 503, 'UNAVAILABLE'],
  ])('%s is told as this dialect tells it', (code, status, shown, name) => {
    const fault = gemini.encodeFault(encoded(code, status))
    expect(fault.status).toBe(shown)
    expect(JSON.parse(fault.body)).toMatchObject({
      error: {
        code: shown,
        message: 'No.',
        status: name,
        details: expect.arrayContaining([
          expect.objectContaining({ reason: code.replace('.', '_').toUpperCase() }),
          { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: '77' },
        ]),
      },
    })
  })

  it('says when to ask again, and that what is spent is not there within the hour', () => {
    const delayIn = (body: string) =>
      JSON.parse(body).error.details.find((each: { retryDelay?: string }) => each.retryDelay)
        ?.retryDelay
    const limited = { ...encoded('rate.requests', 429), retryAfterSeconds: 12 }
    expect(delayIn(gemini.encodeFault(limited).body)).toBe('12s')
    expect(delayIn(gemini.encodeFault(encoded('quota.exhausted', 402)).body)).toBe('3600s')
    expect(delayIn(gemini.encodeFault(encoded('upstream.failed', 502)).body)).toBeUndefined()
  })

  const clientOf = (text: string, init: ResponseInit) =>
    new GoogleGenAI({
      apiKey: 'k',
      httpOptions: {
        baseUrl: 'http://x.example',
        fetch: async () => new Response(text, init),
      } as object,
    })

  it('the official client reads it', async () => {
    const { body, status, headers } = gemini.encodeFault(encoded('quota.exhausted', 402))
    const client = clientOf(body, { status, headers })
    await expect(
      client.models.generateContent({ model: 'm', contents: 'x' }),
    ).rejects.toMatchObject({ status: 429, message: expect.stringContaining('No.') })
  })

  it('a started stream is told in a frame that the official client throws', async () => {
    const text = gemini.ping + gemini.encodeFaultEvent(encoded('upstream.broken', 502))
    const client = clientOf(text, { headers: { 'content-type': 'text/event-stream' } })
    const stream = await client.models.generateContentStream({ model: 'm', contents: 'x' })
    await expect(stream.next()).rejects.toMatchObject({ status: 502 })
  })

  it('an array that has begun stays one', () => {
    const text = `[{"candidates":[]}${geminiArray.encodeFaultEvent(encoded('upstream.broken', 502))}`
    expect(JSON.parse(text)).toMatchObject([{}, { error: { code: 502 } }])
    expect(geminiArray.ping).toBe('')
  })

  it('the reason says more than the number', () => {
    const body = {
      error: {
        code: 400,
        message: 'API key not valid.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    }
    expect(gemini.decodeFault(Buffer.from(JSON.stringify([body])))).toEqual({
      message: 'API key not valid.',
      type: 'INVALID_ARGUMENT',
      code: 'API_KEY_INVALID',
    })
  })

  it('when to come again stands in the details', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
    const error = { code: 429, message: 'Too much.', status: 'RESOURCE_EXHAUSTED', details }
    expect(gemini.decodeFault(Buffer.from(JSON.stringify({ error })))).toEqual({
      message: 'Too much.',
      type: 'RESOURCE_EXHAUSTED',
      code: '429',
      retryAfterSeconds: 34.5,
    })
  })
})

/** How an upstream's error within a stream is told on. */
const failedOf = (type: string, code: string, fields?: Record<string, unknown>) => {
  const encoder = gemini.encodeEvents()
  const unknownFields = fields && ({ dialect: 'gemini', fields } as const)
  const failure = { message: 'No.', type, code, ...(unknownFields ? { unknownFields } : {}) }
  return JSON.parse(encoder.push({ type: 'failure', failure }).slice('data: '.length)).error
}

// https://google.aip.dev/193, https://cloud.google.com/apis/design/errors#handling_errors
it.each([
  ['NOT_FOUND', '', 404, 'NOT_FOUND'],
  ['INVALID_ARGUMENT', '', 400, 'INVALID_ARGUMENT'],
  ['RESOURCE_EXHAUSTED', '', 429, 'RESOURCE_EXHAUSTED'],
  ['RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', 429, 'RESOURCE_EXHAUSTED'],
  ['UNAVAILABLE', '503', 503, 'UNAVAILABLE'],
  ['invalid_request_error', 'context_length_exceeded', 400, 'INVALID_ARGUMENT'],
  ['authentication_error', '', 401, 'UNAUTHENTICATED'],
  ['permission_error', '', 403, 'PERMISSION_DENIED'],
  ['not_found_error', '', 404, 'NOT_FOUND'],
  ['request_too_large', '', 413, 'INVALID_ARGUMENT'],
  ['insufficient_quota', '', 429, 'RESOURCE_EXHAUSTED'],
  ['rate_limit_error', '', 429, 'RESOURCE_EXHAUSTED'],
  ['server_error', 'rate_limit_exceeded', 429, 'RESOURCE_EXHAUSTED'],
  ['overloaded_error', '', 503, 'UNAVAILABLE'],
  ['', '', 500, 'INTERNAL'],
  ['odd', '418', 418, 'INVALID_ARGUMENT'],
  ['odd', '520', 520, 'INTERNAL'],
  ['odd', '599', 599, 'INTERNAL'],
  ['odd', '400', 400, 'INVALID_ARGUMENT'],
  ['odd', '409', 409, 'ABORTED'],
  ['odd', '422', 422, 'INVALID_ARGUMENT'],
  ['odd', '499', 499, 'CANCELLED'],
  ['odd', '501', 501, 'UNIMPLEMENTED'],
  ['odd', '504', 504, 'DEADLINE_EXCEEDED'],
  ['odd', '200', 500, 'INTERNAL'],
  ['odd', '600', 500, 'INTERNAL'],
  ['odd', '404.5', 500, 'INTERNAL'],
])('a failure of type %j and code %j has the number %i', (type, code, number, status) => {
  expect(failedOf(type, code)).toEqual({ code: number, message: 'No.', status })
})

it('a failure keeps its own details', () => {
  const details = [{ reason: 'API_KEY_INVALID' }]
  expect(failedOf('INVALID_ARGUMENT', '400', { details })).toMatchObject({ code: 400, details })
})

// https://google.aip.dev/193#errorinfo
it.each([
  ['API_KEY_INVALID', 'API_KEY_INVALID'],
  ['AB', 'AB'],
  ['A'.repeat(63), 'A'.repeat(63)],
  ['A', '400'],
  ['A'.repeat(64), '400'],
  ['lower', '400'],
])('the reason %s makes the code %s', (reason, code) => {
  const error = { code: 400, details: [{ reason }] }
  expect(gemini.decodeFault(Buffer.from(JSON.stringify({ error }))).code).toBe(code)
})

// https://protobuf.dev/reference/protobuf/google.protobuf/#duration
it.each([
  ['7s', 7],
  ['0.25s', 0.25],
  ['s', undefined],
  ['.5s', undefined],
  ['7m', undefined],
  ['9999999s', undefined],
])('the delay %s is %j seconds', (retryDelay, seconds) => {
  const error = { code: 429, details: [{ retryDelay }] }
  const fault = gemini.decodeFault(Buffer.from(JSON.stringify({ error })))
  expect(fault.retryAfterSeconds).toBe(seconds)
})
