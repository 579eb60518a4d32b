import { isJsonObject, type JsonObject } from '@hub/providers'

/** The code and the message of an error in any dialect, as a client would read them. */
export type SentError = { code: string | undefined; message: string | undefined }

const sizeMax = 64 * 1024

/** Reads an error that was sent to the caller: a whole body, or the first event that ends a stream. */
export const readSentError = (sent: Buffer | string): SentError | undefined => {
  if (sent.length > sizeMax) return undefined
  const text = sent.toString()
  const from = text.indexOf('{')
  if (from === -1) return undefined
  // An event is one line; the body of a vendor may be a document of several.
  const [line = ''] = text.slice(from).split('\n', 1)
  const whole = parse(text.slice(from)) ?? parse(line)
  if (!whole) return undefined
  const error = isJsonObject(whole.error) ? whole.error : whole
  return { code: codeOf(error), message: textOf(error.message ?? error.description) }
}

/** OpenAI and Suno have a textual `code`, Google a `status`, Midjourney's proxies a number, and Anthropic a `type`. */
const codeOf = ({ code, status, type }: JsonObject): string | undefined =>
  textOf(code) ??
  textOf(status) ??
  (typeof code === 'number' ? String(code) : undefined) ??
  textOf(type)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const parse = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
