import type { Dialect } from '../dialect.ts'
import { sseTap } from '../framing/sse-tap.ts'
import { decodeFrames } from './decode-events.ts'
import { encodeEvents } from './encode-events.ts'
import { decodeFault, encodeFault, encodeFaultElement, encodeFaultEvent } from './fault.ts'
import { arrayTap } from './passing/array-tap.ts'
import { listen } from './passing/listen.ts'
import { read } from './passing/read.ts'
import { readReply } from './passing/read-reply.ts'
import { splice } from './passing/splice.ts'
import { decodeReply, encodeReply } from './reply.ts'
import { counting, decodeRequest, encodeRequest } from './request.ts'
import { decodeUsage } from './usage.ts'

// https://ai.google.dev/api/generate-content
export const gemini: Dialect = {
  id: 'gemini',
  read,
  splice,
  askForUsage: () => ({}),
  tap: () => sseTap(listen()),
  readReply,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  ping: ': ping\n\n',
  decodeRequest,
  encodeRequest,
  decodeReply,
  encodeReply,
  decodeFrames,
  encodeEvents,
  counting,
}

/** Asked without `alt=sse`, a stream is one JSON array. White space between its elements would open it: no ping. */
export const geminiArray: Dialect = {
  ...gemini,
  tap: arrayTap,
  encodeFaultEvent: encodeFaultElement,
  ping: '',
  streamType: 'application/json; charset=utf-8',
  encodeEvents: manner => encodeEvents({ ...manner, form: 'array' }),
}
