import type { Failure } from '../canon.ts'
import type { Dialect, Told } from '../dialect.ts'
import { decodeFault as decodeAny } from '../openai-chat/fault.ts'

/** How this dialect names a refusal. https://google.aip.dev/193 */
const names: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** A spent balance is told as spent quota, which clients of this dialect know. */
const spent = new Set([
  'quota.exhausted',
  'quota.day',
  'quota.month',
  'token.exhausted',
  'stream.quota',
])

export const encodeFault = (told: Told) => ({
  status: statusOf(told),
  headers: { 'content-type': 'application/json; charset=utf-8' } as Record<string, string>,
  body: bodyOf(told),
})

export const encodeFaultEvent = (told: Told): string => `data: ${bodyOf(told)}\n\n`

/** The same as the last element of an array that has elements. */
export const encodeFaultElement = (told: Told): string => `,\n${bodyOf(told)}\n]`

const statusOf = ({ code, status }: Told): number => (spent.has(code) ? 429 : status)

const bodyOf = (told: Told): string => {
  const status = statusOf(told)
  return JSON.stringify({
    error: {
      code: status,
      message: told.message,
      status: names[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: told.code.replaceAll(/[.-]/g, '_').toUpperCase(),
        },
        {
          '@type': 'type.googleapis.com/google.rpc.RequestInfo',
          requestId: told.requestId,
        },
        ...retryInfo(told),
      ],
    },
  })
}

/** What is spent is not there again within the hour. */
const spentSeconds = 3_600

/**
 * Gemini CLI waits as long as this says, and gives up at once where that is more than five minutes; without it, it asks
 * ten times (google-gemini/gemini-cli packages/core/src/utils/googleQuotaErrors.ts).
 */
const retryInfo = ({ code, retryAfterSeconds }: Told) => {
  const seconds = retryAfterSeconds ?? (spent.has(code) ? spentSeconds : undefined)
  if (seconds === undefined) return []
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }]
}

/** An upstream's error, told within a stream: clients look at the number. */
export const failureBody = (failure: Failure, fields: Record<string, unknown>) => {
  const { message, type, code } = failure
  const named = Object.entries(names).find(([, name]) => name === type)?.[0]
  const told = statuses[type] ?? named ?? statuses[code]
  const status = [Number(code), Number(told)].find(isStatus) ?? 500
  const name = named ? type : (names[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'))
  return { error: { code: status, message, status: name, ...fields } }
}

const isStatus = (status: number): boolean =>
  Number.isInteger(status) && status >= 400 && status < 600

/** Types and codes of other dialects, and of this one where a name has several numbers. */
const statuses: Readonly<Record<string, number>> = {
  RESOURCE_EXHAUSTED: 429,
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  insufficient_quota: 429,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  overloaded_error: 503,
}

/** The reason says more than the number: `API_KEY_INVALID` comes under 400. */
export const decodeFault: Dialect['decodeFault'] = body => {
  const fault = decodeAny(body)
  const text = body.toString('utf8', 0, 65_536)
  const reason = /"reason"\s*:\s*"([A-Z][A-Z0-9_]{1,62})"/.exec(text)
  const delay = /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(text)
  return {
    ...fault,
    ...(reason ? { code: reason[1]! } : {}),
    ...(delay ? { retryAfterSeconds: Number(delay[1]) } : {}),
  }
}
