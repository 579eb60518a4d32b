import type { ChatRequest } from '../canon.ts'
import type { Encoded, TokenCounting } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { decodeRequest, encodeRequest } from './request/index.ts'

/** The count endpoint rejects these fields. */
const answering = [
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
] as const

// https://platform.claude.com/docs/en/api/messages/count_tokens
export const counting: TokenCounting = {
  decodeRequest,
  encodeRequest: (request: ChatRequest): Encoded => {
    const { body, warnings } = encodeRequest(request)
    for (const name of answering) delete body[name]
    delete body.service_tier
    delete body.metadata
    return { body, warnings }
  },
  decodeAnswer: input => {
    const tokens = (input as Json)?.input_tokens
    return typeof tokens === 'number' ? tokens : undefined
  },
  encodeResponse: tokens => ({ input_tokens: tokens }),
}
