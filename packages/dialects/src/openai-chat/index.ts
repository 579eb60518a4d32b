import type { Dialect } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { askForUsage } from './ask-for-usage.ts'
import { decodeFrames, encodeEvents } from './events.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './fault.ts'
import { limitHeaders } from './limit-headers.ts'
import { read } from './read.ts'
import { readReply } from './read-reply.ts'
import { decodeReply, encodeReply } from './reply.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { tap } from './tap.ts'
import { decodeUsage } from './usage.ts'

// https://platform.openai.com/docs/api-reference/chat
export const openaiChat: Dialect = {
  id: 'openai-chat',
  read,
  splice,
  usageEdits: askForUsage,
  observeStream: tap,
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
  ping: ': ping\n\n',
}
