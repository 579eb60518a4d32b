import type { Vendor } from '../cell.ts'
import { given } from '../facts.ts'
import { readBody } from './openai-chat-read.ts'
import { framesOf, wholeOf } from './openai-chat-tell.ts'
import { openaiRefusal } from './openai-errors.ts'

export const openaiChat: Vendor = {
  dialect: 'openai-chat',
  // Any server of this dialect, and of no other.
  channel: { type: 8 },
  models: { usual: 'gpt-5.4-chat', older: 'gpt-5.4-chat' },
  read: readBody,
  whole: wholeOf,
  stream: framesOf,
  refuse: refusal => ({
    body: openaiRefusal(refusal),
    headers: given({ 'retry-after': refusal.retryAfter?.toString() }) as Record<string, string>,
  }),
  // The vendor has no count for this dialect.
  count: tokens => ({ input_tokens: tokens }),
}
