import type { Failure } from '../canon.ts'
import type { Dialect, ErrorInfo } from '../dialect.ts'
import { decodeFault as decodeAny } from '../openai-chat/errors.ts'

/** Status names by HTTP status. https://google.aip.dev/193 */
const statusNames: Readonly<Record<number, string>> = {
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

/** Exhausted balances are sent as 429, which clients of this dialect treat as exhausted quota. */
const exhausted = new Set([
  'quota.exhausted',
  'quota.day',
  'quota.month',
  'token.exhausted',
  'stream.quota',
])

export const encodeFault = (info: ErrorInfo) => ({
  status: statusOf(info),
  headers: { 'content-type': 'application/json; charset=utf-8' } as Record<string, string>,
  body: bodyOf(info),
})

export const encodeFaultEvent = (info: ErrorInfo): string => `data: ${bodyOf(info)}\n\n`

/** Encodes the error as the last element of a started array stream. */
export const encodeFaultElement = (info: ErrorInfo): string => `,\n${bodyOf(info)}\n]`

const statusOf = ({ code, status }: ErrorInfo): number => (exhausted.has(code) ? 429 : status)

const bodyOf = (info: ErrorInfo): string => {
  const status = statusOf(info)
  return JSON.stringify({
    error: {
      code: status,
      message: info.message,
      status: statusNames[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: info.code.replaceAll(/[.-]/g, '_').toUpperCase(),
        },
        {
          '@type': 'type.googleapis.com/google.rpc.RequestInfo',
          requestId: info.requestId,
        },
        ...retryInfo(info),
      ],
    },
  })
}

/** Retry delay for an exhausted balance. */
const exhaustedRetrySeconds = 3_600

/**
 * Gemini CLI waits for this delay and gives up at once above five minutes; without it, it retries ten times
 * (google-gemini/gemini-cli packages/core/src/utils/googleQuotaErrors.ts).
 */
const retryInfo = ({ code, retryAfterSeconds }: ErrorInfo) => {
  const seconds = retryAfterSeconds ?? (exhausted.has(code) ? exhaustedRetrySeconds : undefined)
  if (seconds === undefined) return []
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }]
}

/** Encodes an upstream error inside a stream with a numeric status, which clients check. */
export const failureBody = (failure: Failure, fields: Record<string, unknown>) => {
  const { message, type, code } = failure
  const statusByName = Object.entries(statusNames).find(([, name]) => name === type)?.[0]
  const info = statuses[type] ?? statusByName ?? statuses[code]
  const status = [Number(code), Number(info)].find(isStatus) ?? 500
  const name = statusByName
    ? type
    : (statusNames[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'))
  return { error: { code: status, message, status: name, ...fields } }
}

const isStatus = (status: number): boolean =>
  Number.isInteger(status) && status >= 400 && status < 600

/** Status by error type or code of other dialects, and by names of this dialect that have several statuses. */
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

/** Prefers the `reason` over the status, because `API_KEY_INVALID` has status 400. */
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
