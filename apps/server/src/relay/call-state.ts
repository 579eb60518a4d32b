import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FailedAttempt, Fault, RouteNote } from '@hub/contract'
import type { Caller } from '../core/call.ts'
import type { Timer } from '../lib/time/timers.ts'
import type { Form } from './request/form.ts'
import type { CallTrace } from './telemetry/call-trace.ts'

// The parts of a call that change while it runs. Every context of the call shares them.

/** The response of a call: a `ServerResponse`, or the events of one response over a WebSocket. */
export type CallerResponse = Writable &
  Pick<ServerResponse, 'headersSent' | 'chunkedEncoding' | 'socket'> & {
    writeHead(status: number, headers: string[]): unknown
  }

/** By what the waits of a call end: a body, an upstream, a caller who reads slowly. */
export type Abort = {
  reason: AbortReason | undefined
  /** Cancels the current wait. */
  onAbort: ((reason: AbortReason) => void) | undefined
  /** Index in the list of live calls; -1 outside. */
  listIndex: number
}

/** The upstream of the current attempt, or the last one, and what became of the request to it. */
export type UpstreamState = {
  /** The provider's id: a label of metrics and log lines. */
  provider: string
  /** Names of the caller's headers that were not passed on. */
  headersNotPassed: string[] | undefined
  /** The upstream was sent the whole request. */
  isSent: boolean
  /** Set where the upstream sent the head of an answer. */
  times: UpstreamTimes | undefined
}

/** Monotonic milliseconds of the request of an attempt, and whether the first byte of its answer came. */
export type UpstreamTimes = {
  sentAt: number
  connectedAt: number
  headAt: number
  hasBegun(): boolean
}

/** The response of a call, and what its caller has of it. */
export type ResponseState = {
  /** A call in the background continues without its caller, and has another one from then on. */
  stream: CallerResponse
  /** Headers of every response, rate limits included: name and value in turn. */
  readonly headers: string[]
  /** The status that was sent; undefined before the head. */
  status: number | undefined
  /** The error that was sent, as a whole body or as an event of a stream. */
  sentError: Buffer | string | undefined
  /** Monotonic milliseconds; set when the first byte is written to the caller. */
  firstByteAt: number | undefined
  /** The caller is pinged until the first byte of an answer. */
  sendsEarlyPings: boolean
  /** The head was sent together with the beginning of the body. */
  hasWritten: boolean
  /** A copy for retries with the same Idempotency-Key and for the response cache; undefined where none is needed. */
  recorded: RecordedResponse | undefined
  /** Closes the connection of a caller who does not read the last bytes. */
  drainTimer: Timer | undefined
}

/** The body of a request, as far as it was read. */
export type BodyState = {
  /** That of a call that came as a message of a WebSocket; undefined where the request has one. */
  received: Buffer | undefined
  /** The body that was read; undefined before its end, and where it is a form. */
  whole: Buffer | undefined
  /** Bytes that this request holds of the process's body budget. */
  bytes: number
  /** The body where it is a form. Its files are deleted when the request ends. */
  form: Form | undefined
  /** Files that were fetched from addresses in the body, for every attempt that needs them. */
  linkedFiles: LinkedFiles | undefined
}

/** The log row, the metrics and the spans of a call are made of it. Each step notes what it learns. */
export type CallRecord = {
  /** Undefined before the key is known; in the group of the last target that was tried. */
  caller: Caller | undefined
  /** The model's name as the caller sent it, without its argument; undefined before the body was read. */
  requestedModel: string | undefined
  isStream: boolean
  /** The key of the client's session. */
  session: string | undefined
  /** Channels that did not answer, in the order of the attempts. */
  failedAttempts: FailedAttempt[] | undefined
  /** How the channels were chosen; undefined where only one lists the model. */
  route: RouteNote | undefined
  /** A vendor's refusal that replaces our own error body. */
  upstreamError: UpstreamResponse | undefined
  /** The error that ended a stream after its first byte. */
  streamFault: Fault | undefined
  /** The call is charged, however it ends. */
  isCharged: boolean
  /** The spans of the call; undefined where nothing is exported. */
  trace: CallTrace | undefined
}

/** A file behind an address in the body. */
export type LinkedFile = { mime: string; base64: string }

/** Fetched files by address, and why others could not be fetched: no attempt fetches an address again. */
export type LinkedFiles = Map<string, LinkedFile | Fault>

/** Why a call, or one of its two attempts, ends before its answer does. */
export type AbortReason = 'caller-left' | 'stopping' | 'hedge-lost'

/** A vendor's own answer, passed to the caller as it is. */
export type UpstreamResponse = {
  status: number
  type: string
  body: Buffer
  /** Charges the output that the body shows, before it is passed; absent where it shows none. */
  charge?: () => Promise<void>
}

/** An answer as the caller received it. */
export type RecordedResponse = {
  status: number
  type: string
  chunks: Buffer[]
  size: number
  isComplete: boolean
}

export const makeAbort = (): Abort => ({ reason: undefined, onAbort: undefined, listIndex: -1 })

export const makeUpstreamState = (): UpstreamState => ({
  provider: 'none',
  headersNotPassed: undefined,
  isSent: false,
  times: undefined,
})

export const makeResponseState = (stream: CallerResponse, headers: string[]): ResponseState => ({
  stream,
  headers,
  status: undefined,
  sentError: undefined,
  firstByteAt: undefined,
  sendsEarlyPings: false,
  hasWritten: false,
  recorded: undefined,
  drainTimer: undefined,
})

export const makeRecord = (trace: CallTrace | undefined): CallRecord => ({
  caller: undefined,
  requestedModel: undefined,
  isStream: false,
  session: undefined,
  failedAttempts: undefined,
  route: undefined,
  upstreamError: undefined,
  streamFault: undefined,
  isCharged: false,
  trace,
})
