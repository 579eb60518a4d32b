import { openaiChat, openaiResponses, type ParsedRequest } from '@hub/dialects'
import { unreadableFault } from '../request/unreadable.ts'

/**
 * Rewrites a Responses body that was posted to a chat address, as Cursor does, into chat messages: an `input` without
 * `messages`. https://docs.litellm.ai/docs/tutorials/cursor_integration
 */
export const chatFromResponses = (parsed: ParsedRequest): ParsedRequest => {
  if (parsed.fieldRanges.has('messages') || !parsed.fieldRanges.has('input')) return parsed
  const decoded = openaiResponses.decodeRequest(JSON.parse(parsed.body.toString()))
  if (!decoded.ok) throw unreadableFault(decoded)
  const { body } = openaiChat.encodeRequest(decoded.request)
  if (parsed.wantsUsage) body.stream_options = { include_usage: true }
  const chat = openaiChat.read(Buffer.from(JSON.stringify(body)))
  if (!chat.ok) throw unreadableFault(chat)
  return chat.parsed
}
