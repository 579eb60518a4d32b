import type { Dialect } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { counting } from './count-tokens.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './errors.ts'
import { limitHeaders } from './limit-headers.ts'
import { read } from './passthrough/read.ts'
import { readReply } from './passthrough/read-reply.ts'
import { tap } from './passthrough/tap.ts'
import { decodeRequest, encodeRequest } from './request/index.ts'
import { decodeReply, encodeReply } from './response.ts'
import { decodeFrames, encodeEvents } from './stream/decode.ts'
import { decodeUsage } from './usage.ts'

// https://platform.claude.com/docs/en/api/messages
export const anthropic: Dialect = {
  id: 'anthropic',
  read,
  splice,
  askForUsage: () => ({}),
  tap,
  readReply,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  limitHeaders,
  decodeRequest,
  encodeRequest,
  decodeReply,
  encodeReply,
  decodeFrames,
  encodeEvents,
  counting,
  // https://platform.claude.com/docs/en/api/errors#request-id
  requestIdHeader: 'request-id',
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
}
