import type { ErrorInfo } from '../dialect.ts'
import { decodeFault as decodeChat, encodeFault } from '../openai-chat/errors.ts'

type Json = Record<string, unknown>

/** A refusal that is no stream is the one of chat. */
export { encodeFault }

/**
 * A started stream ends as the vendor ends one: an `error` event, which the official client throws, and the failed
 * response, whose code Codex reads.
 */
export const encodeFaultEvent = (told: ErrorInfo): string => {
  const { error } = JSON.parse(encodeFault(told).body) as { error: Json }
  Object.assign(error, inStream(told, error))
  const response = {
    id: `resp_${told.requestId}`,
    object: 'response',
    status: 'failed',
    error: { code: error.code, message: error.message },
    incomplete_details: null,
    output: [],
    usage: null,
  }
  return frame('error', { error }) + frame('response.failed', { response })
}

/**
 * There is no header any more: Codex reads from the sentence when to ask again, and by this code that asking again is
 * no use (openai/codex codex-rs/codex-api/src/sse/responses.rs).
 */
const inStream = ({ code, retryAfterSeconds }: ErrorInfo, { message }: Json): Json => {
  if (code === 'upstream.caller') return { code: 'invalid_prompt' }
  if (retryAfterSeconds === undefined) return {}
  return { message: `${message} Please try again in ${retryAfterSeconds}s.` }
}

const frame = (type: string, said: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...said })}\n\n`

/** As in chat; in the event of a failed response it stands one deeper. */
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
