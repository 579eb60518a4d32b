import type { Vendor } from '../../cell.ts'
import { definedFields, type Refusal } from '../../neutral.ts'
import { framesOf, wholeOf } from './encode.ts'
import { readBody } from './read.ts'

/** https://platform.claude.com/docs/en/api/errors */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
}

export const refused = ({ status, message }: Refusal) => ({
  type: 'error',
  error: { type: types[status] ?? 'api_error', message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
})

export const anthropic: Vendor = {
  dialect: 'anthropic',
  channel: { type: 14 },
  models: { usual: 'claude-opus-4-6', older: 'claude-sonnet-4-5' },
  read: readBody,
  whole: wholeOf,
  stream: framesOf,
  refuse: refusal => ({
    body: refused(refusal),
    headers: definedFields({ 'retry-after': refusal.retryAfter?.toString() }) as Record<
      string,
      string
    >,
  }),
  // https://platform.claude.com/docs/en/api/messages/count_tokens
  count: tokens => ({ input_tokens: tokens }),
}
