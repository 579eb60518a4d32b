import { APIError } from 'openai'
import type { Refusal } from '../neutral.ts'

/**
 * https://platform.openai.com/docs/guides/error-codes: the status defines the kind; inside a stream only the type
 * does.
 */
const kinds: Readonly<Record<string, Refusal['kind']>> = {
  400: 'invalid',
  401: 'unauthorized',
  404: 'not-found',
  422: 'invalid',
  429: 'busy',
  503: 'busy',
}

/** Reads the error that the client throws for a status or for an error inside a stream. */
export const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof APIError)) throw error
  const { status, message, headers } = error
  const after = headers?.get('retry-after')
  return {
    kind: kinds[String(status)] ?? 'broken',
    status: status ?? 500,
    message,
    ...(after ? { retryAfter: Number(after) } : {}),
  }
}
