import type { Dialect } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { counting } from './counting.ts'
import { decodeFrames, encodeEvents } from './events.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './fault.ts'
import { limitHeaders } from './limit-headers.ts'
import { read } from './passing/read.ts'
import { readReply } from './passing/read-reply.ts'
import { tap } from './passing/tap.ts'
import { decodeReply, encodeReply } from './reply.ts'
import { decodeRequest, encodeRequest } from './request.ts'
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
