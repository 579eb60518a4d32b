import type { FaultCode } from '@hub/contract'
import { faultCodes } from './fault-codes.ts'

/** An API call that failed. `code` is the server's error code, if known; `status` is 0 when the server was not reached. */
export type ApiError = Error & {
  name: 'ApiError'
  status: number
  code: FaultCode | undefined
  requestId: string
  /** A list that belongs to the error, such as the channels that refused. Undefined: there is none. */
  data: unknown
}

export const apiError = (
  status: number,
  body: { code?: unknown; message?: unknown; data?: unknown } = {},
  requestId = '',
): ApiError =>
  Object.assign(new Error(typeof body.message === 'string' ? body.message : ''), {
    name: 'ApiError' as const,
    status,
    code: isFaultCode(body.code) ? body.code : undefined,
    requestId,
    data: body.data,
  })

export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

const isFaultCode = (code: unknown): code is FaultCode =>
  typeof code === 'string' && faultCodes.includes(code)

/** Validation messages by field name, which the server writes as `` `name`: too long; … ``. Empty: the error's own text. */
export const fieldErrors = (error: unknown): Record<string, string> => {
  if (!isApiError(error)) return {}
  const own = error.code ? fieldByCode[error.code] : undefined
  if (own) return { [own]: '' }
  const clauses = error.message.matchAll(/`([\w.-]+)`: (.+?)(?=; `|\.?$)/g)
  const isTranslated = error.code === 'channel.secrets_needed'
  return Object.fromEntries(
    [...clauses].map(([, field = '', text = '']) => [field, isTranslated ? '' : text]),
  )
}

/** The form field that an error code belongs to. */
const fieldByCode: Partial<Record<FaultCode, string>> = {
  'password.wrong': 'current_password',
  'channel.key_missing': 'key',
  'address.forbidden': 'base_url',
  'oauth.secret_needed': 'client_secret',
}
