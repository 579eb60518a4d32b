import { type CallerFormat, openaiImages } from '@hub/dialects'

/** Codes of One Hub, which its clients compare. */
const codes: Readonly<Record<string, string>> = { 'stored.unknown': 'task_not_exist' }

/** Errors of Suno's interface are `{code, message}`, with the status of the error. */
export const sunoFormat: CallerFormat = {
  ...openaiImages,
  encodeFault: info => {
    const { status, headers, body } = openaiImages.encodeFault(info)
    const { code, message } = JSON.parse(body).error
    return { status, headers, body: JSON.stringify({ code: codes[info.code] ?? code, message }) }
  },
}
