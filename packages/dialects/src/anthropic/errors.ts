import type { Told } from '../dialect.ts'

export { decodeFault } from '../openai-chat/fault.ts'

/** How this dialect names a refusal. https://platform.claude.com/docs/en/api/errors */
const types: Readonly<Record<number, string>> = {
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

/** By code, where the status alone does not say it to this dialect's clients. */
const faces: Readonly<Record<string, { status: number; type: string }>> = {
  'quota.exhausted': { status: 402, type: 'billing_error' },
  'token.exhausted': { status: 402, type: 'billing_error' },
  'stream.quota': { status: 402, type: 'billing_error' },
  'account.frozen': { status: 403, type: 'billing_error' },
  'token.disabled': { status: 401, type: 'authentication_error' },
  'token.expired': { status: 401, type: 'authentication_error' },
  'caller.disabled': { status: 401, type: 'authentication_error' },
  'token.model': { status: 404, type: 'not_found_error' },
  'model.unknown': { status: 404, type: 'not_found_error' },
  'price.unknown': { status: 404, type: 'not_found_error' },
  'upstream.busy': { status: 529, type: 'overloaded_error' },
}

/** Asking again at once brings the same answer; the official clients obey this. */
const final = new Set(['billing_error'])

const faceOf = ({ code, status }: Told): { status: number; type: string } =>
  faces[code] ?? {
    status,
    type: types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
  }

export const encodeFault = (told: Told) => {
  const { status, type } = faceOf(told)
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'request-id': told.requestId,
  }
  if (final.has(type) || told.code === 'price.unknown') headers['x-should-retry'] = 'false'
  return { status, headers, body: bodyOf(told, type) }
}

export const encodeFaultEvent = (told: Told): string =>
  `event: error\ndata: ${bodyOf(told, faceOf(told).type)}\n\n`

const bodyOf = ({ message, requestId }: Told, type: string): string =>
  JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId })
