import { expect, it } from 'vitest'
import {
  type ClassificationRules,
  classifyError,
  readRetryAfter,
  type UpstreamError,
} from './classify-error.ts'

const refusal = (change: Partial<UpstreamError>): UpstreamError => ({
  status: 500,
  message: 'no',
  type: '',
  code: '',
  retryAfterSeconds: undefined,
  ...change,
})
const rules: ClassificationRules = {
  vendorRules: [],
  keywords: ['Your credit balance is too low'],
  cooldownSeconds: 5,
  credential: 'key',
  isEchoed: () => false,
}

it.each([
  [400, 'upstream.caller', 400, false, 0],
  [413, 'upstream.caller', 413, false, 0],
  [422, 'upstream.caller', 422, false, 0],
  [401, 'upstream.credential', 502, true, 5],
  [403, 'upstream.credential', 502, true, 5],
  [402, 'upstream.funds', 502, true, 5],
  [404, 'upstream.refused', 404, true, 0],
  [302, 'upstream.refused', 502, true, 0],
  [307, 'upstream.refused', 502, true, 0],
  [408, 'upstream.timeout', 504, true, 5],
  [429, 'upstream.busy', 429, true, 5],
  [529, 'upstream.busy', 503, true, 5],
  [500, 'upstream.failed', 502, true, 5],
  [503, 'upstream.failed', 502, true, 5],
  [504, 'upstream.timeout', 504, true, 5],
] as const)('%i means %s', (status, code, shown, canRetry, cooldownSeconds) => {
  const error = classifyError(refusal({ status }), rules)
  expect(error.fault.code).toBe(code)
  expect(error.fault.status).toBe(shown)
  expect(error).toMatchObject({ canRetry, cooldownSeconds })
})

it.each([
  'prompt is too long: 215000 tokens > 200000 maximum',
  "This model's maximum context length is 128000 tokens.",
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
])('%s: the caller is told so, in the vendor’s words', message => {
  const { fault, canRetry } = classifyError(refusal({ status: 400, message }), rules)
  expect([fault.code, fault.status, canRetry]).toEqual(['upstream.context', 400, false])
  expect(fault.message).toContain(message)
})

it('what is the operator’s is not told in the vendor’s words', () => {
  const message = 'Rate limit reached in organization org-secret.'
  for (const status of [401, 403, 404, 429, 500])
    expect(classifyError(refusal({ status, message }), rules).fault.message).not.toContain(
      'org-secret',
    )
})

it('a channel rests as long as its vendor says, within an hour', () => {
  expect(
    classifyError(refusal({ status: 429, retryAfterSeconds: 42 }), rules).cooldownSeconds,
  ).toBe(42)
  expect(
    classifyError(refusal({ status: 429, retryAfterSeconds: 9e9 }), rules).cooldownSeconds,
  ).toBe(3_600)
})

it('only a named delay, an empty account and a refused key start a cooldown alone', () => {
  const starts = (change: Partial<UpstreamError>) =>
    classifyError(refusal(change), rules).startsCooldown
  for (const status of [400, 403, 404, 422, 429, 500, 503, 504, 529])
    expect(starts({ status }), String(status)).toBe(false)
  for (const status of [429, 500, 503, 529])
    expect(starts({ status, retryAfterSeconds: 7 }), String(status)).toBe(true)
  for (const status of [401, 402]) expect(starts({ status }), String(status)).toBe(true)
  expect(starts({ status: 400, retryAfterSeconds: 7 })).toBe(false)
})

it('a 503 of ours says when to try again', () => {
  const { fault } = classifyError(refusal({ status: 529 }), rules)
  expect([fault.status, fault.retryAfterSeconds]).toEqual([503, 5])
})

it('a credential that a vendor refuses disables, and is never the caller’s 401', () => {
  const error = classifyError(refusal({ status: 401, message: 'bad key' }), rules)
  expect(error).toMatchObject({ refusedCredential: 'key', reason: 'bad key' })
  expect(error.fault.status).toBe(502)
})

it('a 403 alone, a 429 and a caller’s mistake disable nothing', () => {
  for (const status of [403, 429, 400, 404, 500])
    expect(
      classifyError(refusal({ status }), rules).refusedCredential,
      String(status),
    ).toBeUndefined()
})

it('a phrase of the list disables, whatever the status', () => {
  const message = 'Your credit balance is too low to go on'
  const error = classifyError(refusal({ status: 400, message }), rules)
  expect(error).toMatchObject({ refusedCredential: 'key', reason: message, canRetry: true })
})

it('a phrase that the caller wrote disables nothing', () => {
  const message = 'Invalid value: Your credit balance is too low'
  const error = classifyError(refusal({ status: 400, message }), {
    ...rules,
    isEchoed: () => true,
  })
  expect(error).toMatchObject({ reason: '', canRetry: false })
})

it('an empty account leaves the key out for every model at once, for at least five minutes', () => {
  const message = '预扣费额度失败, 用户剩余额度: ＄0.00'
  const empty = refusal({ status: 403, message, code: 'insufficient_user_quota' })
  const error = classifyError(empty, rules)
  expect(error.fault.code).toBe('upstream.funds')
  expect(error).toMatchObject({ canRetry: true, refusedCredential: 'key', reason: message })
  expect([error.startsCooldown, error.cooldownSeconds]).toEqual([true, 300])
  expect(classifyError(empty, { ...rules, cooldownSeconds: 900 }).cooldownSeconds).toBe(900)
  expect(classifyError(empty, { ...rules, cooldownSeconds: 0 }).cooldownSeconds).toBe(0)
})

it('a wanted payment that may be for this request alone refuses no key', () => {
  const message = 'This request requires more credits, or fewer max_tokens.'
  const vendorRules = [
    { status: 402, match: /fewer max_tokens/, fault: 'upstream.funds' },
    { status: 402, fault: 'upstream.funds', channel: 'disable' as const },
  ]
  for (const each of [rules, { ...rules, vendorRules }]) {
    const error = classifyError(refusal({ status: 402, message }), each)
    expect([error.fault.code, error.refusedCredential]).toEqual(['upstream.funds', undefined])
    expect([error.startsCooldown, error.cooldownSeconds]).toEqual([true, 5])
  }
})

it('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(readRetryAfter('7', now)).toBe(7)
  expect(readRetryAfter('0.5', now)).toBe(0.5)
  expect(readRetryAfter('Fri, 20 Nov 2026 12:00:30 GMT', now)).toBe(30)
  for (const bad of ['', '-1', '0', 'soon', 'Fri, 20 Nov 2020 12:00:30 GMT', undefined])
    expect(readRetryAfter(bad, now)).toBeUndefined()
})
