import type { Dialect } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { limitHeaders } from '../openai-chat/base.ts'
import { summaryRequest } from './compact/summary.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './errors.ts'
import { flattenTools } from './namespaces.ts'
import { read } from './passthrough/read-request.ts'
import { readAnswer } from './passthrough/read-response.ts'
import { observeStream } from './passthrough/stream-observer.ts'
import { counting, decodeRequest, encodeRequest } from './request/index.ts'
import { decodeAnswer, encodeResponse } from './response.ts'
import { decodeFrames } from './stream/decode.ts'
import { encodeEvents } from './stream/encode.ts'
import { decodeUsage } from './usage.ts'

// https://platform.openai.com/docs/api-reference/responses
export const openaiResponses: Dialect = {
  id: 'openai-responses',
  read,
  splice,
  usageEdits: () => ({}),
  limitOutput: (parsed, limit) => splice(parsed, { max_output_tokens: limit }),
  observeStream,
  readAnswer,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  limitHeaders,
  // The vendor's own event. Codex aborts a stream without events for 300 seconds, and ignores comments
  // (openai/codex codex-rs/codex-api/src/sse/responses.rs). The official client accepts no other first event.
  answerIdPrefix: 'resp_',
  ping: 'event: keepalive\ndata: {"type":"keepalive","sequence_number":0}\n\n',
  pingBeforeFirstEvent: ': ping\n\n',
  statefulFields: ['previous_response_id', 'conversation', 'prompt'],
  decodeRequest,
  encodeRequest,
  flattenTools,
  summaryRequest,
  decodeAnswer,
  encodeResponse,
  decodeFrames,
  encodeEvents,
  tokenCounting: counting,
}
