import type { ErrorInfo } from '../dialect.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'

/** An error as clients of this dialect recognise it: by status, type and code. */
type ErrorFormat = { status?: number; type: string; code: string | null; param?: string }

const quota: ErrorFormat = { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' }
const key: ErrorFormat = { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' }
const rate: ErrorFormat = { type: 'rate_limit_error', code: 'rate_limit_exceeded' }
const model: ErrorFormat = {
  type: 'invalid_request_error',
  code: 'model_not_found',
  param: 'model',
}

const errorFormats: Readonly<Record<string, ErrorFormat>> = {
  'quota.exhausted': quota,
  'token.exhausted': quota,
  'stream.quota': quota,
  'quota.day': quota,
  'quota.month': quota,
  'account.debt': { type: 'insufficient_quota', code: 'account_debt' },
  'account.frozen': { type: 'insufficient_quota', code: 'account_frozen' },
  'caller.unknown': key,
  'caller.disabled': { ...key, code: 'account_deactivated' },
  'token.disabled': key,
  'token.expired': key,
  'token.ip': { type: 'permission_error', code: 'ip_not_authorized' },
  'token.group': { type: 'permission_error', code: 'group_not_allowed' },
  'token.model': model,
  'model.unknown': model,
  'model.no_tools': { ...model, code: 'unsupported_value', param: 'tools' },
  'model.no_stream': { ...model, code: 'unsupported_value', param: 'stream' },
  'price.unknown': { ...model, code: 'model_price_unknown' },
  'rate.requests': rate,
  'rate.requests_day': rate,
  'rate.tokens': rate,
  'rate.concurrent': rate,
  'quota.held': rate,
  // https://platform.openai.com/docs/guides/error-codes
  'response.previous': {
    type: 'invalid_request_error',
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  },
  // https://developers.openai.com/api/docs/guides/websocket-mode
  'socket.stream_id': {
    type: 'invalid_request_error',
    code: 'invalid_stream_id',
    param: 'stream_id',
  },
  'socket.stream_limit': {
    type: 'invalid_request_error',
    code: 'websocket_stream_limit_reached',
    param: 'stream_id',
  },
  'socket.expired': {
    type: 'invalid_request_error',
    code: 'websocket_connection_limit_reached',
  },
  'upstream.busy': rate,
  'upstream.context': { type: 'invalid_request_error', code: 'context_length_exceeded' },
  'request.too_large': { type: 'invalid_request_error', code: 'request_too_large' },
}

/** A retry returns the same error. The official clients obey the header. */
const final = new Set([
  'insufficient_quota',
  'account_debt',
  'account_frozen',
  'model_price_unknown',
])

export const encodeFault = (info: ErrorInfo) => {
  const format = formatOf(info)
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  if (format.code !== null && final.has(format.code)) headers['x-should-retry'] = 'false'
  return { status: format.status ?? info.status, headers, body: bodyOf(info, format) }
}

export const encodeFaultEvent = (info: ErrorInfo): string =>
  `data: ${bodyOf(info, formatOf(info))}\n\n`

/** An overloaded upstream, as OpenAI's own service reports it; no rate limit. */
const overloaded: ErrorFormat = { type: 'server_error', code: 'server_is_overloaded' }

const formatOf = ({ code, status }: ErrorInfo): ErrorFormat => {
  if (code === 'upstream.busy' && status >= 500) return overloaded
  const format = errorFormats[code]
  if (format) return format
  const plain = code.replaceAll(/[.-]/g, '_')
  return { type: status < 500 ? 'invalid_request_error' : 'server_error', code: plain }
}

const bodyOf = ({ message, requestId }: ErrorInfo, { type, param, code }: ErrorFormat): string =>
  JSON.stringify({
    error: {
      message: `${message} (request id: ${requestId})`,
      type,
      param: param ?? null,
      code,
    },
  })

/** A longer text is no message but an error page. */
const messageMax = 2_000

/** Accepts any shape: vendors agree on an `error` with a `message`, and on little else. */
export const decodeFault = (body: Buffer): { message: string; type: string; code: string } => {
  const text = body.toString('utf8', 0, Math.min(body.length, 65_536)).trim()
  const whole = parse(text)
  if (whole === undefined) return { message: plain(text), type: '', code: '' }
  const error = isJsonObject(whole.error) ? whole.error : whole
  const base = isJsonObject(whole.base_resp) ? whole.base_resp : {}
  const details = [
    ...[error.message, error.msg, whole.error, whole.message, whole.detail],
    ...[base.status_msg, whole.errors],
  ]
  return {
    message: (details.map(sentence).find(Boolean) ?? '').slice(0, messageMax),
    type: word(error.type ?? error.status),
    code: word(error.code ?? whole.code ?? base.status_code ?? firstOf(whole.errors).code),
  }
}

/** Some vendors send a list of `{ msg }` with one entry per invalid field. */
const sentence = (details: unknown): string => {
  if (typeof details === 'string') return details
  if (Array.isArray(details)) return details.map(sentence).filter(Boolean).join('; ')
  if (!isJsonObject(details)) return ''
  return sentence(details.message ?? details.msg ?? details.detail)
}

const firstOf = (list: unknown): JsonObject =>
  Array.isArray(list) && isJsonObject(list[0]) ? list[0] : {}

const word = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : ''

/** Returns '' for the HTML error page of a proxy. */
const plain = (text: string): string => (text.startsWith('<') ? '' : text.slice(0, messageMax))

const parse = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return isJsonObject(value[0]) ? value[0] : undefined
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
