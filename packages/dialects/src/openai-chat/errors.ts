import type { ErrorInfo } from '../dialect.ts'

type Json = Record<string, unknown>

/** How this dialect's clients know a refusal: by status, type and code. */
type Face = { status?: number; type: string; code: string | null; param?: string }

const quota: Face = { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' }
const key: Face = { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' }
const rate: Face = { type: 'rate_limit_error', code: 'rate_limit_exceeded' }
const model: Face = { type: 'invalid_request_error', code: 'model_not_found', param: 'model' }

const faces: Readonly<Record<string, Face>> = {
  'quota.exhausted': quota,
  'token.exhausted': quota,
  'stream.quota': quota,
  'quota.day': quota,
  'quota.month': quota,
  'account.frozen': { type: 'insufficient_quota', code: 'account_frozen' },
  'caller.unknown': key,
  'caller.disabled': { ...key, code: 'account_deactivated' },
  'token.disabled': key,
  'token.expired': key,
  'token.ip': { type: 'permission_error', code: 'ip_not_authorized' },
  'token.group': { type: 'permission_error', code: 'group_not_allowed' },
  'token.model': model,
  'model.unknown': model,
  'price.unknown': { ...model, code: 'model_price_unknown' },
  'rate.requests': rate,
  'rate.requests_day': rate,
  'rate.tokens': rate,
  'rate.concurrent': rate,
  // What the vendor says of an answer it does not have: https://platform.openai.com/docs/guides/error-codes
  'response.previous': {
    type: 'invalid_request_error',
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  },
  'upstream.busy': rate,
  'upstream.context': { type: 'invalid_request_error', code: 'context_length_exceeded' },
  'request.too_large': { type: 'invalid_request_error', code: 'request_too_large' },
}

/** Asking again at once brings the same answer; the official clients obey this. */
const final = new Set(['insufficient_quota', 'account_frozen', 'model_price_unknown'])

export const encodeFault = (told: ErrorInfo) => {
  const face = faceOf(told)
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  if (face.code !== null && final.has(face.code)) headers['x-should-retry'] = 'false'
  return { status: face.status ?? told.status, headers, body: bodyOf(told, face) }
}

export const encodeFaultEvent = (told: ErrorInfo): string =>
  `data: ${bodyOf(told, faceOf(told))}\n\n`

/** Full, and not a limit: what OpenAI's own service says then. */
const overloaded: Face = { type: 'server_error', code: 'server_is_overloaded' }

const faceOf = ({ code, status }: ErrorInfo): Face => {
  if (code === 'upstream.busy' && status >= 500) return overloaded
  const face = faces[code]
  if (face) return face
  const plain = code.replaceAll(/[.-]/g, '_')
  return { type: status < 500 ? 'invalid_request_error' : 'server_error', code: plain }
}

const bodyOf = ({ message, requestId }: ErrorInfo, { type, param, code }: Face): string =>
  JSON.stringify({
    error: {
      message: `${message} (request id: ${requestId})`,
      type,
      param: param ?? null,
      code,
    },
  })

/** Longer is no message but a page. */
const messageMax = 2_000

/** Takes what it finds: vendors agree on an `error` with a `message`, and on little else. */
export const decodeFault = (body: Buffer): { message: string; type: string; code: string } => {
  const text = body.toString('utf8', 0, Math.min(body.length, 65_536)).trim()
  const whole = parse(text)
  if (whole === undefined) return { message: plain(text), type: '', code: '' }
  const error = isObject(whole.error) ? whole.error : whole
  const base = isObject(whole.base_resp) ? whole.base_resp : {}
  const said = [
    ...[error.message, error.msg, whole.error, whole.message, whole.detail],
    ...[base.status_msg, whole.errors],
  ]
  return {
    message: (said.map(sentence).find(Boolean) ?? '').slice(0, messageMax),
    type: word(error.type ?? error.status),
    code: word(error.code ?? whole.code ?? base.status_code ?? firstOf(whole.errors).code),
  }
}

/** Lists of `{ msg }` are how some vendors tell what is wrong with each field. */
const sentence = (said: unknown): string => {
  if (typeof said === 'string') return said
  if (Array.isArray(said)) return said.map(sentence).filter(Boolean).join('; ')
  if (!isObject(said)) return ''
  return sentence(said.message ?? said.msg ?? said.detail)
}

const firstOf = (list: unknown): Json => (Array.isArray(list) && isObject(list[0]) ? list[0] : {})

const word = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : ''

/** A proxy's error page says nothing that a caller or a log can use. */
const plain = (text: string): string => (text.startsWith('<') ? '' : text.slice(0, messageMax))

const parse = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return isObject(value[0]) ? value[0] : undefined
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
