import { type CallerFormat, openaiImages } from '@hub/dialects'

/** The group is saturated, which the proxies' clients take as a reason to wait. */
const codeBusy = 30
const codeError = 4

/** Errors as clients of Midjourney's proxies read them: `{description, type, code}`. */
export const midjourneyFormat: CallerFormat = {
  ...openaiImages,
  encodeFault: info => ({
    status: info.status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      description: `${info.message} (request id: ${info.requestId})`,
      type: 'one_hub_error',
      code: info.status === 429 ? codeBusy : codeError,
    }),
  }),
}
