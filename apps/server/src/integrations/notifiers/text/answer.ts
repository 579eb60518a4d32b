import { Fault } from '@hub/contract'
import type { PostResponse } from '../notifier.ts'

const textMax = 200

/** A failure that passes. Without a time the queue waits by itself. */
export const failed = (text: string, retryAfterSeconds?: number): Fault =>
  new Fault('notification.failed', {
    hint: quoted(text),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })

/** A failure that repeating the message does not mend. */
export const refused = (text: string): Fault =>
  new Fault('notification.refused', { hint: quoted(text) })

const quoted = (text: string) =>
  `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'").toWellFormed().slice(0, textMax)}\``

/** Throws for a status other than 2xx. `Retry-After` is read in seconds, RFC 9110 10.2.3. */
export const requireSuccess = ({ status, headers, body }: PostResponse): void => {
  if (status >= 200 && status < 300) return
  const text = `${status} ${body}`
  const seconds = Number(headers['retry-after'])
  if (status === 429 || status === 503)
    throw failed(text, Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined)
  if (status >= 500 || status === 408 || status === 425) throw failed(text)
  throw refused(text)
}

/** Parses an object. Throws `notification.failed` for anything else, as from a proxy. */
export const readObject = ({ status, body }: PostResponse): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(body)
    if (value !== null && typeof value === 'object') return value as Record<string, unknown>
  } catch {
    // The fault below says it.
  }
  throw failed(`${status} ${body}`)
}

type ResultCodes = {
  /** The field with the code; 0 means success unless `success` says otherwise. */
  code: string
  text: string
  success?: number
  /** Codes that pass, as limits of rate, with the seconds to wait. */
  passing?: Readonly<Record<number, number>>
}

/** Reads an answer that has its outcome in the body, whatever the HTTP status. */
export const requireCode = (
  response: PostResponse,
  { code: codeField, text: textField, success = 0, passing = {} }: ResultCodes,
): Record<string, unknown> => {
  if (response.status === 429 || response.status >= 500) requireSuccess(response)
  const answer = readObject(response)
  const code = answer[codeField]
  if (code === success) return answer
  const text = `${String(code)} ${String(answer[textField] ?? '')}`
  const seconds = passing[Number(code)]
  throw seconds === undefined ? refused(text) : failed(text, seconds)
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }
