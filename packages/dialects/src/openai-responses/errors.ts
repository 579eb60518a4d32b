import type { ErrorInfo } from '../dialect.ts'
import type { JsonObject } from '../json/json.ts'
import { decodeFault as decodeChat, encodeFault } from '../openai-chat/errors.ts'

/** Outside of streams the error format is that of chat. */
export { encodeFault }

/**
 * Ends a stream like the vendor: an `error` event, which the official client throws, and a failed response, whose code
 * Codex reads.
 */
export const encodeFaultEvent = (info: ErrorInfo): string => {
  const { error } = JSON.parse(encodeFault(info).body) as { error: JsonObject }
  Object.assign(error, inStream(info, error))
  return frame('error', { error }) + failedFrame(`resp_${info.requestId}`, error)
}

/** The last frame of a stream that failed, in which Codex reads the code. */
export const failedFrame = (id: string, { code, message }: JsonObject): string => {
  const response = {
    id,
    object: 'response',
    status: 'failed',
    error: { code, message },
    incomplete_details: null,
    output: [],
    usage: null,
  }
  return frame('response.failed', { response })
}

/**
 * A stream has no headers left. Codex reads the retry delay from the message, and `invalid_prompt` as final
 * (openai/codex codex-rs/codex-api/src/sse/responses.rs).
 */
const inStream = ({ code, retryAfterSeconds }: ErrorInfo, { message }: JsonObject): JsonObject => {
  if (code === 'upstream.caller') return { code: 'invalid_prompt' }
  if (retryAfterSeconds === undefined) return {}
  return { message: `${message} Please try again in ${retryAfterSeconds}s.` }
}

const frame = (type: string, fields: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

/** Decodes the format of chat. A failed response has the error one level deeper. */
export const decodeFault = (body: Buffer): { message: string; type: string; code: string } => {
  const inner = innerError(body)
  return decodeChat(inner ? Buffer.from(JSON.stringify({ error: inner })) : body)
}

const innerError = (body: Buffer): unknown => {
  if (body.length > 65_536 || !body.includes('"response"')) return undefined
  try {
    return JSON.parse(body.toString())?.response?.error
  } catch {
    return undefined
  }
}
