import { Fault, type FaultCode } from '@hub/contract'
import { type ErrorRule, findErrorRule, isEmptyAccount } from '@hub/providers'
import type { UpstreamResponse } from '../call-state.ts'

/** An upstream's error, decoded: message, type and code are the vendor's own. */
export type UpstreamError = {
  status: number
  message: string
  type: string
  code: string
  retryAfterSeconds: number | undefined
}

/** The consequences of an error for the call and for the channel. */
export type ErrorClassification = {
  fault: Fault
  /** The upstream's own status; undefined where it sent none. */
  upstreamStatus?: number
  /** Another channel may answer this. */
  canRetry: boolean
  /** Seconds for which the channel is passed over for this model and operation; 0: never. */
  cooldownSeconds: number
  /** This error alone starts the cooldown; otherwise several within a short time do. */
  startsCooldown: boolean
  /** The credential that the vendor refused. Its cooldown holds for every model and operation. */
  refusedCredential?: string
  /** The vendor's words against the credential. */
  reason: string
  /** The vendor's own answer, for a caller of the same dialect. */
  upstreamResponse?: UpstreamResponse
}

export type ClassificationRules = {
  /** The vendor's own rules. */
  vendorRules: readonly ErrorRule[]
  /** Phrases that disable a channel. */
  keywords: readonly string[]
  cooldownSeconds: number
  /** The credential that the request was sent with. */
  credential: string
  /** The caller's own request contains the phrase, so that an echo of it proves nothing against the channel. */
  isEchoed(phrase: string): boolean
}

const cooldownMaxSeconds = 3_600
const hintMax = 1_000
/** Nobody pays into an account within seconds. */
const fundsCooldownSecondsMin = 300
const credentialCodes = new Set(['invalid_api_key', 'account_deactivated'])
const credentialTypes = new Set(['authentication_error', 'permission_error', 'forbidden'])

/** Decides whether an upstream's error is retried, cools the channel down, or disables it. Nothing else decides that. */
export const classifyError = (
  error: UpstreamError,
  rules: ClassificationRules,
): ErrorClassification => {
  const rule = findErrorRule(rules.vendorRules, error)
  const isEmpty = rule
    ? rule.fault === 'upstream.funds' && rule.channel === 'disable'
    : isEmptyAccount(error, rules.isEchoed)
  if (isEmpty) return classifyEmptyAccount(error, rules)
  const phrase = phraseIn(error, rules)
  if (phrase !== undefined || rule?.channel === 'disable' || isCredentialError(error))
    return classifyCredentialError(error, rules)
  const code = (rule?.fault as FaultCode | undefined) ?? codeOf(error)
  const isCallers = code === 'upstream.caller' || code === 'upstream.context'
  const isBusy = code === 'upstream.busy'
  const isOverloaded = isBusy && error.status === 529
  const retryAfterSeconds = isBusy
    ? (error.retryAfterSeconds ?? (isOverloaded ? Math.max(1, rules.cooldownSeconds) : undefined))
    : undefined
  return {
    fault: new Fault(code, {
      detail: detailOf(error),
      ...(isCallers || error.status === 404 ? { status: error.status } : {}),
      // Some clients give up after a 429 but retry a 5xx.
      ...(isOverloaded ? { status: 503 } : {}),
      // A caller's own mistake is explained in the vendor's words; its other words are for the operator.
      ...(isCallers ? { hint: error.message.slice(0, hintMax) } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
    upstreamStatus: error.status,
    canRetry: !isCallers,
    ...cooldownOf(code, error, rules),
    reason: '',
  }
}

/** Classifies a call that brought no answer at all. */
export const classifyFailure = (fault: Fault, cooldownSeconds: number): ErrorClassification => ({
  fault,
  canRetry: !fault.code.startsWith('server.') || fault.code === 'server.busy',
  cooldownSeconds: fault.code.startsWith('upstream.') ? cooldownSeconds : 0,
  startsCooldown: false,
  reason: '',
})

/** Classifies a stream that ended with an error after its first byte, when no other channel may answer any more. */
export const classifyBrokenStream = (
  fault: Fault,
  cooldownSeconds: number,
): ErrorClassification => ({
  ...classifyFailure(fault, requestCodes.has(fault.code) ? 0 : cooldownSeconds),
  canRetry: false,
})

/** Codes of faults that the request may have caused. */
const requestCodes: ReadonlySet<FaultCode> = new Set([
  'upstream.caller',
  'upstream.context',
  'upstream.refused',
])

const classifyCredentialError = (
  error: UpstreamError,
  { credential, cooldownSeconds }: ClassificationRules,
): ErrorClassification => ({
  fault: new Fault('upstream.credential', { detail: detailOf(error) }),
  upstreamStatus: error.status,
  canRetry: true,
  cooldownSeconds,
  startsCooldown: true,
  refusedCredential: credential,
  reason: error.message.slice(0, 200) || `status ${error.status}`,
})

/** The account of the key is empty for every model, so that the key is left within one call. */
const classifyEmptyAccount = (
  error: UpstreamError,
  rules: ClassificationRules,
): ErrorClassification => {
  const { cooldownSeconds } = rules
  return {
    ...classifyCredentialError(error, rules),
    fault: new Fault('upstream.funds', { detail: detailOf(error) }),
    cooldownSeconds: cooldownSeconds && Math.max(fundsCooldownSecondsMin, cooldownSeconds),
  }
}

const detailOf = ({ status, type, code, message }: UpstreamError) =>
  `${status} ${type} ${code} ${message}`.slice(0, 500)

const isCredentialError = ({ status, type, code }: UpstreamError) =>
  status === 401 || credentialCodes.has(code) || credentialTypes.has(type)

const phraseIn = ({ message }: UpstreamError, { keywords, isEchoed }: ClassificationRules) =>
  keywords.find(each => each !== '' && message.includes(each) && !isEchoed(each))

/** Codes and sentences by which vendors refuse a prompt that is too long. */
const contextLength =
  /context_length_exceeded|prompt is too long|maximum context length|input token count.{0,40} exceeds/i

const codeOf = ({ status, message, code }: UpstreamError): FaultCode => {
  if (status === 429 || status === 529) return 'upstream.busy'
  if (status === 408 || status === 504 || status === 524) return 'upstream.timeout'
  if (status === 401 || status === 403) return 'upstream.credential'
  // A payment is wanted, but perhaps for this request alone.
  if (status === 402) return 'upstream.funds'
  if (status === 404 || status === 405) return 'upstream.refused'
  if (status >= 400 && status < 500)
    return contextLength.test(`${code} ${message}`) ? 'upstream.context' : 'upstream.caller'
  return status >= 500 ? 'upstream.failed' : 'upstream.refused'
}

/** Codes of faults that another try would repeat. The others may be due to the request, and cool nothing down. */
const cooldownCodes: ReadonlySet<FaultCode> = new Set([
  'upstream.busy',
  'upstream.failed',
  'upstream.timeout',
  'upstream.credential',
])

/** A delay that the vendor names and a wanted payment hold for the next call too. */
const cooldownOf = (
  code: FaultCode,
  { status, retryAfterSeconds }: UpstreamError,
  rules: ClassificationRules,
): Pick<ErrorClassification, 'cooldownSeconds' | 'startsCooldown'> => {
  const isQuota = status === 402
  if (!isQuota && !cooldownCodes.has(code)) return { cooldownSeconds: 0, startsCooldown: false }
  return {
    cooldownSeconds: Math.min(cooldownMaxSeconds, retryAfterSeconds ?? rules.cooldownSeconds),
    startsCooldown: isQuota || retryAfterSeconds !== undefined,
  }
}

/** Reads `Retry-After` as seconds from now, from a number or a date. Undefined where it is unreadable or past. */
export const readRetryAfter = (
  header: string | string[] | undefined,
  now: number,
): number | undefined => {
  if (typeof header !== 'string') return undefined
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - now) / 1_000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, cooldownMaxSeconds) : undefined
}
