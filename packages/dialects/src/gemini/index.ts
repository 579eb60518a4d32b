import type { Dialect } from '../dialect.ts'
import { sseTap } from '../framing/sse-tap.ts'
import { decodeFault, encodeFault, encodeFaultElement, encodeFaultEvent } from './errors.ts'
import { arrayTap } from './passthrough/array-tap.ts'
import { listen } from './passthrough/listen.ts'
import { read } from './passthrough/read.ts'
import { readReply } from './passthrough/read-reply.ts'
import { splice } from './passthrough/splice.ts'
import { counting, decodeRequest, encodeRequest } from './request/index.ts'
import { decodeReply, encodeReply } from './response.ts'
import { decodeFrames } from './stream/decode.ts'
import { encodeEvents } from './stream/encode.ts'
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
