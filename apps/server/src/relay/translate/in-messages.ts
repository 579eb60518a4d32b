import { type Ask, openaiChat, openaiResponses } from '@hub/dialects'
import { unreadable } from './translation.ts'

/**
 * Some clients post to the address of chat what belongs to Responses, and read what chat answers: Cursor does
 * (https://docs.litellm.ai/docs/tutorials/cursor_integration). An `input` without `messages` is told as messages.
 */
export const inMessages = (ask: Ask): Ask => {
  if (ask.places.has('messages') || !ask.places.has('input')) return ask
  const read = openaiResponses.decodeRequest(JSON.parse(ask.body.toString()))
  if (!read.ok) throw unreadable(read)
  const { body } = openaiChat.encodeRequest(read.request)
  if (ask.wantsUsage) body.stream_options = { include_usage: true }
  const told = openaiChat.read(Buffer.from(JSON.stringify(body)))
  if (!told.ok) throw unreadable(told)
  return told.ask
}
