import type { Refusal } from '../../neutral.ts'

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

/** The delay before a retry is in the body, not in a header: https://google.aip.dev/193 */
export const errorBody = ({ status: code, message, retryAfter }: Refusal) => ({
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
