import type { Vendor } from '../../cell.ts'
import { definedFields } from '../../neutral.ts'
import { openaiRefusal } from '../openai-errors.ts'
import { framesOf, wholeOf } from './encode.ts'
import { readBody } from './read.ts'

export const openaiResponses: Vendor = {
  dialect: 'openai-responses',
  // A model that its vendor has in this dialect alone: https://developers.openai.com/api/docs/models/gpt-5.4-pro
  channel: { type: 1 },
  models: { usual: 'gpt-5.4-pro', older: 'gpt-5.4' },
  // Models of OpenAI that it has in this dialect alone think always. A server of the dialect alone has others too.
  olderChannel: { type: 8, plugin: { customize: { 1: 'disable', 16: '/v1/responses' } } },
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
  // https://platform.openai.com/docs/api-reference/responses/input-tokens
  count: tokens => ({ object: 'response.input_tokens', input_tokens: tokens }),
}
