import type { CallerFormat } from '../dialect.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import type { ReadResult } from '../parsed-request.ts'

/**
 * Rewrites a Responses body that was posted to a chat address, as Cursor does, into chat messages: an `input` without
 * `messages`. https://docs.litellm.ai/docs/tutorials/cursor_integration
 */
export const readResponsesAsChat = (format: CallerFormat, result: ReadResult): ReadResult => {
  if (format !== openaiChat || !result.ok) return result
  const { fieldRanges, body, wantsUsage } = result.parsed
  if (fieldRanges.has('messages') || !fieldRanges.has('input')) return result
  const decoded = openaiResponses.decodeRequest(JSON.parse(body.toString()))
  if (!decoded.ok) return decoded
  const { body: chat } = openaiChat.encodeRequest(decoded.request)
  if (wantsUsage) chat.stream_options = { include_usage: true }
  return openaiChat.read(Buffer.from(JSON.stringify(chat)))
}
