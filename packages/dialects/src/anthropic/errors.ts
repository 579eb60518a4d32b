import type { ErrorInfo } from '../dialect.ts'

export { decodeFault } from '../openai-chat/errors.ts'

/** Error types by status. https://platform.claude.com/docs/en/api/errors */
const typesByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** Overrides by fault code, where clients of this dialect expect another status or type. */
const responsesByCode: Readonly<Record<string, { status: number; type: string }>> = {
  'quota.exhausted': { status: 402, type: 'billing_error' },
  'token.exhausted': { status: 402, type: 'billing_error' },
  'stream.quota': { status: 402, type: 'billing_error' },
  'account.debt': { status: 403, type: 'billing_error' },
  'account.frozen': { status: 403, type: 'billing_error' },
  'token.disabled': { status: 401, type: 'authentication_error' },
  'token.expired': { status: 401, type: 'authentication_error' },
  'caller.disabled': { status: 401, type: 'authentication_error' },
  'token.model': { status: 404, type: 'not_found_error' },
  'model.unknown': { status: 404, type: 'not_found_error' },
  'price.unknown': { status: 404, type: 'not_found_error' },
  'upstream.busy': { status: 529, type: 'overloaded_error' },
}

/** The official clients do not retry these because of `x-should-retry`. */
const notRetryable = new Set(['billing_error'])

const responseFor = ({ code, status }: ErrorInfo): { status: number; type: string } =>
  responsesByCode[code] ?? {
    status,
    type: typesByStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
  }

export const encodeFault = (encoded: ErrorInfo) => {
  const { status, type } = responseFor(encoded)
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'request-id': encoded.requestId,
  }
  if (notRetryable.has(type) || encoded.code === 'price.unknown')
    headers['x-should-retry'] = 'false'
  return { status, headers, body: bodyOf(encoded, type) }
}

export const encodeFaultEvent = (encoded: ErrorInfo): string =>
  `event: error\ndata: ${bodyOf(encoded, responseFor(encoded).type)}\n\n`

const bodyOf = ({ message, requestId }: ErrorInfo, type: string): string =>
  JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId })
