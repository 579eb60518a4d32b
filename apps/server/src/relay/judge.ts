import { Fault, type FaultCode } from '@hub/contract'
import { type Meaning, meaningOf } from '@hub/providers'

/** An upstream's refusal, read. */
export type Refusal = {
  status: number
  /** Message, type and code in the vendor's words. */
  message: string
  type: string
  code: string
  retryAfterSeconds: number | undefined
}

/** What a refusal means for the call and for the channel. */
export type Verdict = {
  fault: Fault
  /** Another channel may answer this. */
  canRetry: boolean
  /** Seconds that the channel rests for this model; 0: not at all. */
  restSeconds: number
  /** The credential that the vendor refused, where it is to blame. */
  refused?: string
  /** The vendor's words against it. */
  reason: string
  /** The vendor's own answer, for a caller who speaks its dialect. */
  told?: { status: number; type: string; body: Buffer }
}

export type Rules = {
  /** This vendor's own messages. */
  means: readonly Meaning[]
  /** Phrases that disable a channel. */
  keywords: readonly string[]
  cooldownSeconds: number
  /** The one that was used. */
  credential: string
  /** Whether the caller's own words contain a phrase: then its echo proves nothing against the channel. */
  isEchoed(phrase: string): boolean
}

const restMaxSeconds = 3_600
const hintMax = 1_000
const credentialCodes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const credentialTypes = new Set([
  'insufficient_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** The only place that decides "retry", "rest" and "disable" for an answer that came. */
export const judge = (refusal: Refusal, rules: Rules): Verdict => {
  const meant = meaningOf(rules.means, refusal)
  const phrase = phraseIn(refusal, rules)
  if (phrase !== undefined || meant?.channel === 'disable' || isCredential(refusal))
    return credentialVerdict(refusal, rules.credential)
  const code = (meant?.fault as FaultCode | undefined) ?? codeOf(refusal)
  const isCallers = code === 'upstream.caller' || code === 'upstream.context'
  const isBusy = code === 'upstream.busy'
  const retryAfterSeconds = isBusy ? refusal.retryAfterSeconds : undefined
  return {
    fault: new Fault(code, {
      detail: `${refusal.status} ${refusal.type} ${refusal.code} ${refusal.message}`.slice(0, 500),
      ...(isCallers || refusal.status === 404 ? { status: refusal.status } : {}),
      // Clients that never ask again after a 429 do after a 5xx.
      ...(isBusy && refusal.status === 529 ? { status: 503 } : {}),
      // The caller's own mistake is told in the vendor's words; other words of it are the operator's.
      ...(isCallers ? { hint: refusal.message.slice(0, hintMax) } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
    canRetry: !isCallers,
    restSeconds: isResting(code)
      ? Math.min(restMaxSeconds, refusal.retryAfterSeconds ?? rules.cooldownSeconds)
      : 0,
    reason: '',
  }
}

/** A call that brought no answer at all. */
export const judgeFailure = (fault: Fault, cooldownSeconds: number): Verdict => ({
  fault,
  canRetry: !fault.code.startsWith('server.') || fault.code === 'server.busy',
  restSeconds: fault.code.startsWith('upstream.') ? cooldownSeconds : 0,
  reason: '',
})

const credentialVerdict = (refusal: Refusal, credential: string): Verdict => ({
  fault: new Fault('upstream.credential', {
    detail: `${refusal.status} ${refusal.type} ${refusal.code} ${refusal.message}`.slice(0, 500),
  }),
  canRetry: true,
  restSeconds: 0,
  refused: credential,
  reason: refusal.message.slice(0, 200) || `status ${refusal.status}`,
})

const isCredential = ({ status, type, code }: Refusal) =>
  status === 401 || credentialCodes.has(code) || credentialTypes.has(type)

const phraseIn = ({ message }: Refusal, { keywords, isEchoed }: Rules) =>
  keywords.find(each => each !== '' && message.includes(each) && !isEchoed(each))

/** How vendors say that a prompt does not fit, in a code or a sentence. */
const context =
  /context_length_exceeded|prompt is too long|maximum context length|input token count.{0,40} exceeds/i

const codeOf = ({ status, message, code }: Refusal): FaultCode => {
  if (status === 429 || status === 529) return 'upstream.busy'
  if (status === 408 || status === 504 || status === 524) return 'upstream.timeout'
  if (status === 401 || status === 403) return 'upstream.credential'
  if (status === 402 || status === 404 || status === 405) return 'upstream.refused'
  if (status >= 400 && status < 500)
    return context.test(`${code} ${message}`) ? 'upstream.context' : 'upstream.caller'
  return status >= 500 ? 'upstream.failed' : 'upstream.refused'
}

const isResting = (code: FaultCode) =>
  code === 'upstream.busy' || code === 'upstream.failed' || code === 'upstream.timeout'

/** Seconds, or a date. What cannot be read, or lies in the past, is nothing. */
export const readRetryAfter = (
  header: string | string[] | undefined,
  now: number,
): number | undefined => {
  if (typeof header !== 'string') return undefined
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - now) / 1_000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, restMaxSeconds) : undefined
}
