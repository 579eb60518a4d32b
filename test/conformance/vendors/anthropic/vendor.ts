import type { Vendor } from '../../cell.ts'
import { definedFields } from '../../neutral.ts'
import { framesOf, wholeOf } from './encode.ts'
import { errorBody } from './error.ts'
import { readBody } from './read.ts'

export const anthropic: Vendor = {
  dialect: 'anthropic',
  channel: { type: 14 },
  models: { usual: 'claude-opus-4-6', older: 'claude-sonnet-4-5' },
  read: readBody,
  whole: wholeOf,
  stream: framesOf,
  refuse: refusal => ({
    body: errorBody(refusal),
    headers: definedFields({ 'retry-after': refusal.retryAfter?.toString() }) as Record<
      string,
      string
    >,
  }),
  // https://platform.claude.com/docs/en/api/messages/count_tokens
  count: tokens => ({ input_tokens: tokens }),
}
