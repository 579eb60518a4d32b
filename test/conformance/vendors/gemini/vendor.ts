import type { Vendor } from '../../cell.ts'
import type { Refusal } from '../../neutral.ts'
import { framesOf, wholeOf } from './encode.ts'
import { readBody } from './read.ts'

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

/** When to come again stands in the body, in no header: https://google.aip.dev/193 */
export const refused = ({ status: code, message, retryAfter }: Refusal) => ({
  error: {
    ...{ code, message, status: statuses[code] ?? 'INTERNAL' },
    ...(retryAfter === undefined
      ? {}
      : {
          details: [
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` },
          ],
        }),
  },
})

export const gemini: Vendor = {
  dialect: 'gemini',
  channel: { type: 25 },
  models: { usual: 'gemini-3-pro', older: 'gemini-2.5-flash' },
  read: readBody,
  whole: wholeOf,
  stream: framesOf,
  refuse: refusal => ({ body: refused(refusal) }),
  // https://ai.google.dev/api/tokens
  count: tokens => ({ totalTokens: tokens }),
}
