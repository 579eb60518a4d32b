import type { Dialect } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { attributionEdits } from './attribution.ts'
import { counting } from './count-tokens.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './errors.ts'
import { limitHeaders } from './limit-headers.ts'
import { read } from './passthrough/read-request.ts'
import { readAnswer } from './passthrough/read-response.ts'
import { observeStream } from './passthrough/stream-observer.ts'
import { decodeRequest, defaultOutputMax, encodeRequest } from './request/index.ts'
import { decodeAnswer, encodeResponse } from './response.ts'
import { decodeFrames } from './stream/decode.ts'
import { encodeEvents } from './stream/encode.ts'
import { decodeUsage } from './usage.ts'

// https://platform.claude.com/docs/en/api/messages
export const anthropic: Dialect = {
  id: 'anthropic',
  read,
  splice,
  usageEdits: () => ({}),
  defaultOutputMax,
  limitOutput: (parsed, limit) => splice(parsed, { max_tokens: limit }),
  attributionEdits,
  observeStream,
  readAnswer,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  limitHeaders,
  decodeRequest,
  encodeRequest,
  decodeAnswer,
  encodeResponse,
  decodeFrames,
  encodeEvents,
  tokenCounting: counting,
  // https://platform.claude.com/docs/en/api/errors#request-id
  requestIdHeader: 'request-id',
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
}
