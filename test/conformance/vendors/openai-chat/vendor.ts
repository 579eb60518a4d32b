import type { Vendor } from '../../cell.ts'
import { definedFields } from '../../neutral.ts'
import { openaiRefusal } from '../openai-errors.ts'
import { framesOf, wholeOf } from './encode.ts'
import { readBody } from './read.ts'

export const openaiChat: Vendor = {
  dialect: 'openai-chat',
  // Any server of this dialect, and of no other.
  channel: { type: 8 },
  models: { usual: 'gpt-5.1', older: 'gpt-5.1' },
  read: readBody,
  whole: wholeOf,
  stream: framesOf,
  refuse: refusal => ({
    body: openaiRefusal(refusal),
    headers: definedFields({ 'retry-after': refusal.retryAfter?.toString() }) as Record<
      string,
      string
    >,
  }),
  // The vendor has no count for this dialect.
  count: tokens => ({ input_tokens: tokens }),
}
