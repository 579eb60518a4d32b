/** A refused or broken call of the public API. */
export class CallError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Fields = {
  message?: unknown
  code?: unknown
  type?: unknown
  status?: unknown
  details?: { reason?: unknown }[]
}

/** Reads an error of any of the dialects: all have `error.message`, and one word in `code`, `status` or `type`. */
export const errorOf = (status: number, body: unknown): CallError => {
  const error = (body as { error?: Fields } | undefined)?.error ?? {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  // Gemini repeats the HTTP status in `code`, as a number, and has the exact reason in its details.
  const reason = Array.isArray(error.details) ? text(error.details[0]?.reason).toLowerCase() : ''
  const code = reason || text(error.code) || text(error.status) || text(error.type)
  return new CallError(
    status,
    code,
    text(error.message) || (status === 200 ? '' : `HTTP ${status}`),
  )
}

const kindsByCode: Record<string, CallErrorKind> = {
  insufficient_quota: 'quota',
  quota_exhausted: 'quota',
  quota_held: 'rate',
  quota_day: 'quota',
  quota_month: 'quota',
  token_exhausted: 'quota',
  stream_quota: 'quota',
  billing_error: 'quota',
  account_frozen: 'quota',
  account_debt: 'quota',
  invalid_api_key: 'key',
  account_deactivated: 'key',
  authentication_error: 'key',
  model_not_found: 'model',
  model_price_unknown: 'model',
  not_found_error: 'model',
  rate_limit_exceeded: 'rate',
  rate_limit_error: 'rate',
  context_length_exceeded: 'request',
}

const kindsByStatus: Record<number, CallErrorKind> = {
  0: 'unreachable',
  401: 'key',
  402: 'quota',
  403: 'denied',
  404: 'model',
  413: 'size',
  429: 'rate',
}

/** The kinds of errors that ask for different steps. */
export type CallErrorKind =
  | 'unreachable'
  | 'key'
  | 'quota'
  | 'denied'
  | 'model'
  | 'size'
  | 'rate'
  | 'request'
  | 'upstream'

export const kindOf = ({ status, code }: CallError): CallErrorKind =>
  kindsByCode[code] ??
  kindsByStatus[status] ??
  (status >= 400 && status < 500 ? 'request' : 'upstream')
