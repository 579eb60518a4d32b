import type { Dialect } from '../dialect.ts'
import { sseStreamObserver } from '../framing/sse-stream-observer.ts'
import { geminiBase } from './base.ts'
import { encodeFaultElement } from './errors.ts'
import { needsBytes } from './media.ts'
import { observeArray } from './passthrough/array-observer.ts'
import { frameObserver } from './passthrough/frame-observer.ts'
import { limitOutput } from './passthrough/limit-output.ts'
import { read } from './passthrough/read-request.ts'
import { readAnswer } from './passthrough/read-response.ts'
import { counting, decodeRequest, encodeRequest } from './request/index.ts'
import { decodeAnswer, encodeResponse } from './response.ts'
import { decodeFrames } from './stream/decode.ts'
import { encodeEvents } from './stream/encode.ts'

// https://ai.google.dev/api/generate-content
export const gemini: Dialect = {
  ...geminiBase,
  read,
  usageEdits: () => ({}),
  limitOutput,
  observeStream: () => sseStreamObserver(frameObserver()),
  readAnswer,
  decodeRequest,
  needsBytes,
  encodeRequest,
  decodeAnswer,
  encodeResponse,
  decodeFrames,
  encodeEvents,
  tokenCounting: counting,
}

/** A stream without `alt=sse` is one JSON array, which has no frame that could serve as a ping. */
export const geminiArray: Dialect = {
  ...gemini,
  observeStream: observeArray,
  encodeFaultEvent: encodeFaultElement,
  ping: '',
  streamContentType: 'application/json; charset=utf-8',
  encodeEvents: options => encodeEvents({ ...options, streamFormat: 'array' }),
}
